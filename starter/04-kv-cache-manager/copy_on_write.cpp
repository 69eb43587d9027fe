#include <algorithm>
#include <utility>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

Request KVCacheManager::fork(const Request& parent, const std::string& child_request_id) {
  const auto held = req_to_blocks_.find(parent.request_id);
  KV_REQUIRE("a request with blocks is forked, and its child has none yet",
             held != req_to_blocks_.end() && !req_to_blocks_.contains(child_request_id));

  KV_TODO("4.10 fork");
}

std::optional<AllocatedSlots> KVCacheManager::unshare_blocks(const Request& request,
                                                             std::size_t num_new_tokens,
                                                             const AllocateOptions& options) {
  KV_TODO("4.11 unshare_blocks");
}

void KVCacheManager::accept(Request& parent, const Request& child) {
  const auto held = req_to_blocks_.find(parent.request_id);
  const auto forked = req_to_blocks_.find(child.request_id);
  KV_REQUIRE("a child with blocks is accepted by the request that it is a fork of",
             held != req_to_blocks_.end() && forked != req_to_blocks_.end() &&
                 forked->second.parent_id == parent.request_id);

  KV_TODO("4.12 accept");
}

}  // namespace kv

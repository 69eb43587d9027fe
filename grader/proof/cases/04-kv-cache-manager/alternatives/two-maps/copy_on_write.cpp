#include <algorithm>
#include <string>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "kv/require.h"

namespace kv {

Request KVCacheManager::fork(const Request& parent, const std::string& child_request_id) {
  KV_REQUIRE("a request with blocks is forked", get_blocks(parent.request_id).num_blocks() > 0);
  KV_REQUIRE("its child has none", get_blocks(child_request_id).num_blocks() == 0);
  Request child = parent;
  child.request_id = child_request_id;
  block_pool_.touch(get_blocks(parent.request_id).blocks());
  req_to_blocks_.insert_or_assign(child_request_id, req_to_blocks_.at(parent.request_id));
  num_cached_block_[child_request_id] = num_cached_block_.at(parent.request_id);
  parents_[child_request_id] = parent.request_id;
  forked_.insert({parent.request_id, child_request_id});
  return child;
}

// Logical blocks that the request must not write into.
std::vector<std::size_t> KVCacheManager::blocks_to_unshare(const Request& request) const {
  std::vector<std::size_t> shared;
  if (!forked_.contains(request.request_id)) return shared;
  const auto blocks = get_blocks(request.request_id).blocks();
  const std::size_t num_full = request.num_computed_tokens / block_pool_.block_size();
  for (std::size_t i = std::max(num_full, num_cached_block_.at(request.request_id));
       i < blocks.size(); ++i) {
    if (blocks[i]->ref_cnt > 1 || blocks[i]->block_hash) shared.push_back(i);
  }
  return shared;
}

void KVCacheManager::accept(Request& parent, const Request& child) {
  const auto fork = parents_.find(child.request_id);
  KV_REQUIRE("a fork with blocks is accepted by its parent",
             fork != parents_.end() && fork->second == parent.request_id &&
                 req_to_blocks_.contains(parent.request_id));
  const auto grandparent = parents_.find(parent.request_id);
  const std::string of_parent = grandparent == parents_.end() ? "" : grandparent->second;
  free(parent);
  const std::string id = parent.request_id;
  req_to_blocks_.insert({id, req_to_blocks_.at(child.request_id)});
  num_cached_block_[id] = num_cached_block_.at(child.request_id);
  forked_.insert(id);
  if (!of_parent.empty()) parents_[id] = of_parent;
  req_to_blocks_.erase(child.request_id);
  num_cached_block_.erase(child.request_id);
  parents_.erase(child.request_id);
  forked_.erase(child.request_id);
  parent = child;
  parent.request_id = id;
}

}  // namespace kv

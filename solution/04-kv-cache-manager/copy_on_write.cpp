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

  held->second.is_forked = true;
  RequestBlocks blocks = held->second;
  blocks.parent_id = parent.request_id;
  block_pool_.touch(blocks.table.blocks());
  req_to_blocks_.insert({child_request_id, std::move(blocks)});

  Request child = parent;
  child.request_id = child_request_id;
  return child;
}

std::optional<AllocatedSlots> KVCacheManager::unshare_blocks(const Request& request,
                                                             std::size_t num_new_tokens,
                                                             const AllocateOptions& options) {
  RequestBlocks& held = req_to_blocks_.at(request.request_id);
  // Why: a fork can have fewer tokens than the parent whose blocks were cached (7.17).
  held.num_cached_blocks = std::min(held.num_cached_blocks, request.num_full_blocks());
  const std::size_t num_full = request.num_computed_tokens / block_pool_.block_size();

  std::vector<std::size_t> shared;  // logical blocks
  for (std::size_t i = std::max(num_full, held.num_cached_blocks); i < held.table.num_blocks();
       ++i) {
    const KVCacheBlock& block = *held.table.blocks()[i];
    if (block.ref_cnt > 1 || block.block_hash) shared.push_back(i);
  }

  const std::size_t num_needed =
      shared.size() + get_num_blocks_to_allocate(request, num_new_tokens, options);
  if (num_needed > block_pool_.get_num_free_blocks()) return std::nullopt;

  for (std::size_t i = held.num_cached_blocks; i < num_full; ++i)
    if (held.table.blocks()[i]->block_hash) held.num_cached_blocks = i + 1;

  AllocatedSlots allocated{*block_pool_.get_new_blocks(shared.size()), {}};
  for (std::size_t i = shared.size(); i-- > 0;) {  // the order in which free leaves blocks
    KVCacheBlock* source = held.table.blocks()[shared[i]];
    KVCacheBlock* destination = allocated.new_blocks[i];
    const std::size_t num_slots = request.num_computed_tokens % block_pool_.block_size();
    if (shared[i] == num_full && num_slots > 0)
      allocated.copies.push_back({source->block_id, destination->block_id, num_slots});

    held.table.replace(shared[i], *destination);
    block_pool_.free_blocks({&source, 1});
  }
  return allocated;
}

void KVCacheManager::accept(Request& parent, const Request& child) {
  const auto held = req_to_blocks_.find(parent.request_id);
  const auto forked = req_to_blocks_.find(child.request_id);
  KV_REQUIRE("a child with blocks is accepted by the request that it is a fork of",
             held != req_to_blocks_.end() && forked != req_to_blocks_.end() &&
                 forked->second.parent_id == parent.request_id);

  RequestBlocks blocks = std::move(forked->second);
  blocks.parent_id = held->second.parent_id;
  req_to_blocks_.erase(forked);
  free(parent);

  std::string request_id = std::move(parent.request_id);
  parent = child;
  parent.request_id = request_id;
  req_to_blocks_.insert({std::move(request_id), std::move(blocks)});
}

}  // namespace kv

#include <algorithm>
#include <string>
#include <utility>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "kv/require.h"

namespace kv {

Request KVCacheManager::fork(const Request& parent, const std::string& child_request_id) {
  KV_REQUIRE("a request with blocks is forked", req_to_blocks_.contains(parent.request_id));
  KV_REQUIRE("its child has no blocks", !req_to_blocks_.contains(child_request_id));
  Request child = parent;
  child.request_id = child_request_id;
  const BlockTable shared = req_to_blocks_.at(parent.request_id).table;
  const std::size_t num_cached = req_to_blocks_.at(parent.request_id).num_cached_blocks;
  for (std::size_t i = 0; i < shared.num_blocks(); ++i)
    block_pool_.touch(shared.blocks().subspan(i, 1));
  req_to_blocks_.at(parent.request_id).is_forked = true;
  req_to_blocks_.insert({child_request_id, {shared, num_cached, true, parent.request_id}});
  return child;
}

// Makes a new table; the old blocks are given back at the end, when the new ones are there.
std::optional<AllocatedSlots> KVCacheManager::unshare_blocks(const Request& request,
                                                             std::size_t num_new_tokens,
                                                             const AllocateOptions& options) {
  RequestBlocks& held = req_to_blocks_.at(request.request_id);
  const std::size_t block_size = block_pool_.block_size(), computed = request.num_computed_tokens;
  const auto blocks = held.table.blocks();
  std::vector<KVCacheBlock*> table(blocks.begin(), blocks.end()), old;
  for (std::size_t i = std::max(computed / block_size, held.num_cached_blocks); i < table.size();
       ++i) {
    if (table[i]->block_hash || table[i]->ref_cnt != 1) old.push_back(table[i]);
  }
  if (block_pool_.get_num_free_blocks() <
      old.size() + get_num_blocks_to_allocate(request, num_new_tokens, options))
    return std::nullopt;
  AllocatedSlots allocated{*block_pool_.get_new_blocks(old.size()), {}};
  for (std::size_t i = 0, next = 0; next < old.size(); ++i) {
    if (table[i] != old[next]) continue;
    table[i] = allocated.new_blocks[next++];
    if (i * block_size < computed)
      allocated.copies.push_back(
          {blocks[i]->block_id, table[i]->block_id, computed - i * block_size});
  }
  for (std::size_t i = computed / block_size; i > held.num_cached_blocks; --i)
    if (table[i - 1]->block_hash) held.num_cached_blocks = i;
  held.table = no_blocks_;
  held.table.append(table);
  std::ranges::reverse(old);
  block_pool_.free_blocks(old);
  return allocated;
}

void KVCacheManager::accept(Request& parent, const Request& child) {
  const auto forked = req_to_blocks_.find(child.request_id);
  KV_REQUIRE("parent and child have blocks",
             forked != req_to_blocks_.end() && req_to_blocks_.contains(parent.request_id));
  KV_REQUIRE("the child is a fork of the parent", forked->second.parent_id == parent.request_id);
  RequestBlocks& own = req_to_blocks_.at(parent.request_id);
  std::swap(own.table, forked->second.table);
  own.num_cached_blocks = forked->second.num_cached_blocks;
  free(child);  // it has the table of the parent now
  const std::string request_id = parent.request_id;
  parent = child;
  parent.request_id = request_id;
}

}  // namespace kv

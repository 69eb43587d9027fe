#include <vector>

#include "02-block-pool/block_pool.h"
#include "kv/require.h"

namespace kv {

// The same trial; then all join the tail, and those without a hash move to the head.
void BlockPool::free_unhashed_first(std::span<KVCacheBlock* const> ordered_blocks) {
  bool is_right = true;
  for (KVCacheBlock* block : ordered_blocks) {
    if (!block->is_null && --block->ref_cnt < 0) is_right = false;
  }
  for (KVCacheBlock* block : ordered_blocks) {
    if (!block->is_null) ++block->ref_cnt;
  }
  KV_REQUIRE("I1: a block is listed as often as it is held at the most", is_right);
  std::vector<KVCacheBlock*> unhashed;
  for (KVCacheBlock* block : ordered_blocks) {
    if (block->is_null || --block->ref_cnt > 0) continue;
    free_block_queue_.append(*block);
    if (!block->block_hash) unhashed.push_back(block);
  }
  for (KVCacheBlock* block : unhashed) free_block_queue_.remove(*block);
  free_block_queue_.prepend_n(unhashed);
}

}  // namespace kv

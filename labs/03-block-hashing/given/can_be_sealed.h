#pragma once
// The check of cache_full_blocks (step 3.11) that looks at the blocks it is to seal.

#include <algorithm>
#include <span>

#include "01-free-queue/kv_cache_block.h"

namespace kv {

// Whether no block has a hash, and none but the null block is listed twice.
// O(blocks.size()), allocates nothing, and leaves the blocks as they were.
inline bool can_be_sealed(std::span<KVCacheBlock* const> blocks) {
  // Why write a hash: a block that is listed twice then has one at its second place.
  const auto end = std::ranges::find_if(blocks, [](KVCacheBlock* block) {
    if (block->block_hash) return true;
    if (!block->is_null) block->block_hash = BlockHash{0};
    return false;
  });
  std::for_each(blocks.begin(), end, [](KVCacheBlock* block) { block->block_hash.reset(); });
  return end == blocks.end();
}

}  // namespace kv

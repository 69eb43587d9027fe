#pragma once
// Blocks by id, as tests, predict programs and texts name them.

#include <span>
#include <vector>

#include "01-free-queue/kv_cache_block.h"

namespace kv::grader {

using Ids = std::vector<BlockId>;

inline Ids ids_of(std::span<KVCacheBlock* const> blocks) {
  Ids ids;
  for (const KVCacheBlock* block : blocks) ids.push_back(block->block_id);
  return ids;
}

}  // namespace kv::grader

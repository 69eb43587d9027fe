#pragma once
// The metadata of one block of the KV cache. The keys and values are in one large tensor, at the
// place that block_id names.

#include <cstdint>
#include <optional>

#include "kv/types.h"

namespace kv {

// One cache line, so that a queue that follows links reads one line per block.
//
// vLLM: KVCacheBlock in vllm/v1/core/kv_cache_utils.py
struct alignas(64) KVCacheBlock {
  BlockId block_id = 0;      // its place in the tensor; never changes (I2)
  std::int32_t ref_cnt = 0;  // how many requests use it; only lab 02 writes it
  bool is_null = false;      // it means "no block" in a block table; only lab 02 writes it

  // Only lab 03 writes these three. The hash is set while the block is cached; without a hash, the
  // other two have no meaning.
  std::optional<BlockHash> block_hash = {};
  PrefixId prefix_id = 0;                    // which prefix the block ends
  KVCacheBlock* next_same_prefix = nullptr;  // a younger block that ends the same prefix

  // Only the free queue writes these two. Both are null outside the queue (I6).
  KVCacheBlock* prev_free_block = nullptr;
  KVCacheBlock* next_free_block = nullptr;
};
static_assert(sizeof(KVCacheBlock) == 64);

}  // namespace kv

#pragma once
// What the engine knows about one block of the KV cache. The K and V vectors themselves lie in one
// large tensor; block_id says where.

#include <cstdint>
#include <optional>

#include "kv/types.h"

namespace kv {

// One cache line, so that a queue that follows pointers pays for one line per block.
//
// vLLM: KVCacheBlock in vllm/v1/core/kv_cache_utils.py
struct alignas(64) KVCacheBlock {
  BlockId block_id = 0;      // its place in the tensor; never changes (I2)
  std::int32_t ref_cnt = 0;  // requests that use it: lab 02's, and nobody else's
  bool is_null = false;      // stands for "no block" in a block table: lab 02's

  // Lab 03's, and nobody else's. Set when the block is full and cached; the other two mean nothing
  // without the hash.
  std::optional<BlockHash> block_hash = {};
  PrefixId prefix_id = 0;                    // which prefix the block ends
  KVCacheBlock* next_same_prefix = nullptr;  // a younger block that ends the same one

  // The free queue's, and nobody else's. Both are null outside the queue (I6).
  KVCacheBlock* prev_free_block = nullptr;
  KVCacheBlock* next_free_block = nullptr;
};
static_assert(sizeof(KVCacheBlock) == 64);

}  // namespace kv

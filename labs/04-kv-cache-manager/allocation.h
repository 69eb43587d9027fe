#pragma once
// What the manager is asked for, and what it answers.

#include <cstddef>
#include <span>
#include <vector>

#include "01-free-queue/kv_cache_block.h"
#include "kv/types.h"

namespace kv {

// vLLM: KVCacheBlocks, and the number beside it
struct ComputedBlocks {
  std::vector<KVCacheBlock*> blocks;  // the hits
  std::size_t num_tokens = 0;         // in these blocks
};

// What a call of allocate_slots is given besides the request and its new tokens.
struct AllocateOptions {
  // What get_computed_blocks gives in the same step; later, they can hold something else.
  std::span<KVCacheBlock* const> new_computed_blocks = {};
  std::size_t num_lookahead_tokens = 0;  // room after the new tokens, for tokens to come
  bool full_sequence_must_fit = false;   // nothing, unless all tokens of the request would fit
};

struct BlockCopy {
  BlockId source;
  BlockId destination;
  std::size_t num_slots;  // from the first slot of the block on

  friend bool operator==(const BlockCopy&, const BlockCopy&) = default;
};

struct AllocatedSlots {
  std::vector<KVCacheBlock*> new_blocks;  // that this call took from the pool, in that order
  std::vector<BlockCopy> copies;          // to make before anything is written; forks only
};

}  // namespace kv

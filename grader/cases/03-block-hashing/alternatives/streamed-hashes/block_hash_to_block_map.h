#pragma once
// A queue of blocks for each prefix.

#include <cstddef>
#include <deque>
#include <map>
#include <unordered_map>

#include "01-free-queue/kv_cache_block.h"
#include "kv/types.h"

namespace kv {

// vLLM: BlockHashToBlockMap in vllm/v1/core/block_pool.py
class BlockHashToBlockMap {
 public:
  // 3.4  Adds a block; those that hold the same prefix stay.       O(1) expected
  // Requires: the block is not in the map.
  // vLLM: insert
  void insert(PrefixId prefix, KVCacheBlock& block);

  // 3.5  The block that has held the prefix the longest; nullptr if none does.   O(1) expected
  // vLLM: get_one_block
  KVCacheBlock* get_one_block(PrefixId prefix) const;

  // 3.6  Takes out the block with this id; nullptr, and nothing has changed, if it does not hold
  // the prefix. The prefix is forgotten with its last block.       O(blocks of the prefix)
  // vLLM: pop
  KVCacheBlock* pop(PrefixId prefix, BlockId block_id);

  // How many prefixes are held, not how many blocks.
  std::size_t size() const { return blocks_.size(); }

  void clear() { blocks_.clear(); }

  // Asks for the memory that get_one_block will read, and does not wait for it.
  void prefetch(PrefixId) const {}

 private:
  std::map<PrefixId, std::deque<KVCacheBlock*>> blocks_;  // oldest first
};

}  // namespace kv

#pragma once
// Which blocks hold which prefix. Several may hold the same one: two requests that computed it side
// by side each keep their own block (I2), and the oldest answers.
//
//       prefix p      #3 -> #7 -> #1      oldest first, linked by next_same_prefix
//                     ^           ^
//          oldest_[p] '           ' youngest_[p], where the next one is added

#include <cstddef>

#include "01-free-queue/kv_cache_block.h"
#include "03-block-hashing/given/id_map.h"
#include "kv/types.h"

namespace kv {

// vLLM: BlockHashToBlockMap in vllm/v1/core/block_pool.py
class BlockHashToBlockMap {
 public:
  // 3.4  Adds a block after those that hold the same prefix already.
  // Requires: the block is not in the map.
  // O(1) expected.                                       vLLM: insert
  void insert(PrefixId prefix, KVCacheBlock& block);

  // 3.5  The block that has held the prefix the longest; nullptr if none does.
  // O(1) expected.                                       vLLM: get_one_block
  KVCacheBlock* get_one_block(PrefixId prefix) const;

  // 3.6  Takes out the block with this id; nullptr, and nothing has changed, if it does not hold
  // the prefix. The other blocks of the prefix stay, in their order; the prefix is forgotten with
  // its last block.
  // O(1) expected for the oldest; otherwise O(blocks that have held the prefix for longer), for it
  // is found by walking past them.                       vLLM: pop
  KVCacheBlock* pop(PrefixId prefix, BlockId block_id);

  // How many prefixes are held, not how many blocks.
  std::size_t size() const { return oldest_.size(); }

  void clear() { *this = {}; }

 private:
  friend struct LookAhead;  // step 3.19

  // Both have find, insert and erase, as std::unordered_map has.
  IdMap<KVCacheBlock*> oldest_;    // the oldest block of each prefix that is held
  IdMap<KVCacheBlock*> youngest_;  // the youngest block, if a prefix has had several at once
};

}  // namespace kv

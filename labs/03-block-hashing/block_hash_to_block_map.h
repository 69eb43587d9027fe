#pragma once
// Which blocks hold which prefix. Several may hold the same one: two requests that computed it side
// by side each keep their own block (I2), and the oldest answers.

#include <cstddef>
#include <cstdint>

#include "01-free-queue/kv_cache_block.h"
#include "03-block-hashing/given/open_table.h"
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
  std::size_t size() const { return entries_.size(); }

  void clear() { entries_.clear(); }

  // Asks for the memory that get_one_block will read, and does not wait for it.
  void prefetch(PrefixId prefix) const { entries_.prefetch(prefix); }

 private:
  struct Entry {
    PrefixId prefix = 0;
    KVCacheBlock* oldest = nullptr;  // younger ones follow by next_same_prefix

    std::uint64_t hash() const { return prefix; }
    bool is_empty() const { return oldest == nullptr; }
  };

  // The entry of a prefix; nullptr if no block holds it. Given.
  const Entry* find(PrefixId prefix) const {
    return entries_.find(prefix, [prefix](const Entry& entry) { return entry.prefix == prefix; });
  }
  Entry* find(PrefixId prefix) {
    return entries_.find(prefix, [prefix](const Entry& entry) { return entry.prefix == prefix; });
  }

  OpenTable<Entry> entries_;  // one for each prefix that a block holds
};

}  // namespace kv

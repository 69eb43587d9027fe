#pragma once
// The same table with the first slot of each block beside it.

#include <cstddef>
#include <span>
#include <vector>

#include "01-free-queue/kv_cache_block.h"
#include "kv/types.h"

namespace kv {

class BlockTable {
 public:
  explicit BlockTable(std::size_t block_size);

  std::span<KVCacheBlock* const> blocks() const { return blocks_; }
  std::size_t num_blocks() const { return blocks_.size(); }
  std::size_t num_slots() const { return blocks_.size() * block_size_; }

  void append(std::span<KVCacheBlock* const> new_blocks);
  SlotId slot(std::size_t position) const;
  std::vector<SlotId> slot_mapping(std::size_t first_position, std::size_t num_tokens) const;

  void replace(std::size_t logical_block, KVCacheBlock& block) {
    blocks_[logical_block] = &block;
    first_slots_[logical_block] = first_slot(block);
  }

 private:
  static constexpr SlotId kNone = -1;  // a null block's first slot

  SlotId first_slot(const KVCacheBlock& block) const {
    return block.is_null ? kNone : block.block_id * static_cast<SlotId>(block_size_);
  }

  std::size_t block_size_;
  std::vector<KVCacheBlock*> blocks_;
  std::vector<SlotId> first_slots_;  // [logical block]
};

}  // namespace kv

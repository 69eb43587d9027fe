#include "04-kv-cache-manager/block_table.h"

#include <limits>

#include "kv/require.h"

namespace kv {

BlockTable::BlockTable(std::size_t block_size) : block_size_(block_size) {
  KV_REQUIRE("I10: every slot of a block has a number",
             block_size > 0 && block_size <= std::numeric_limits<BlockId>::max());
}

void BlockTable::append(std::span<KVCacheBlock* const> new_blocks) {
  for (KVCacheBlock* block : new_blocks) {
    blocks_.push_back(block);
    first_slots_.push_back(first_slot(*block));
  }
}

SlotId BlockTable::slot(std::size_t position) const {
  const std::size_t logical_block = position / block_size_;
  KV_REQUIRE("I10: a position past the last block has no slot",
             logical_block < first_slots_.size());
  KV_REQUIRE("I8: the null block has no slots", first_slots_[logical_block] != kNone);
  return first_slots_[logical_block] + static_cast<SlotId>(position % block_size_);
}

// A run of slots for each block.
std::vector<SlotId> BlockTable::slot_mapping(std::size_t first_position,
                                             std::size_t num_tokens) const {
  std::vector<SlotId> slots;
  if (num_tokens == 0) return slots;
  KV_REQUIRE("I10: every position has a slot",
             first_position < num_slots() && num_tokens <= num_slots() - first_position);
  slots.reserve(num_tokens);
  SlotId next = 0;
  for (std::size_t i = 0; i < num_tokens; ++i) {
    const bool is_new_block = i == 0 || (first_position + i) % block_size_ == 0;
    next = is_new_block ? slot(first_position + i) : next + 1;
    slots.push_back(next);
  }
  return slots;
}

}  // namespace kv

#include "04-kv-cache-manager/block_table.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "kv/require.h"

namespace kv {

BlockTable::BlockTable(std::size_t block_size) : block_size_(block_size) {
  KV_REQUIRE("I10: every slot of a block has a number",
             block_size > 0 && block_size <= std::numeric_limits<BlockId>::max());
}

void BlockTable::append(std::span<KVCacheBlock* const> new_blocks) {
  std::ranges::copy(new_blocks, std::back_inserter(blocks_));
}

SlotId BlockTable::slot(std::size_t position) const {
  const auto from = blocks().subspan(std::min(num_blocks(), position / block_size_));
  KV_REQUIRE("I10: a position without a block has no slot",
             !from.empty() && !from.front()->is_null);
  return SlotId{from.front()->block_id} * static_cast<SlotId>(block_size_) +
         static_cast<SlotId>(position % block_size_);
}

// Goes from block to block and adds the slots of each that are in the range.
std::vector<SlotId> BlockTable::slot_mapping(std::size_t first_position,
                                             std::size_t num_tokens) const {
  std::vector<SlotId> slots;
  while (num_tokens > 0) {
    const std::size_t logical_block = first_position / block_size_;
    KV_REQUIRE("I10: a position without a block has no slot",
               logical_block < blocks_.size() && !blocks_[logical_block]->is_null);
    const std::size_t offset = first_position % block_size_;
    const std::size_t num = std::min(num_tokens, block_size_ - offset);
    const SlotId first = blocks_[logical_block]->block_id * static_cast<SlotId>(block_size_);
    for (std::size_t i = 0; i < num; ++i) slots.push_back(first + static_cast<SlotId>(offset + i));
    num_tokens -= num;
    first_position += num;
  }
  return slots;
}

}  // namespace kv

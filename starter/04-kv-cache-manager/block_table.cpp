#include "04-kv-cache-manager/block_table.h"

#include <limits>

#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

BlockTable::BlockTable(std::size_t block_size) : block_size_(block_size) {
  KV_REQUIRE("I10: every slot of a block has a number",
             block_size > 0 && block_size <= std::numeric_limits<BlockId>::max());
}

void BlockTable::append(std::span<KVCacheBlock* const> new_blocks) {
  KV_TODO("4.1 BlockTable::append");
}

SlotId BlockTable::slot(std::size_t position) const {
  const std::size_t logical_block = position / block_size_;
  KV_REQUIRE("I10: a position without a block has no slot",
             logical_block < blocks_.size() && !blocks_[logical_block]->is_null);
  KV_TODO("4.2 BlockTable::slot");
}

std::vector<SlotId> BlockTable::slot_mapping(std::size_t first_position,
                                             std::size_t num_tokens) const {
  KV_REQUIRE("I10: every position has a slot", covers(first_position, num_tokens));
  KV_TODO("4.3 BlockTable::slot_mapping");
}

}  // namespace kv

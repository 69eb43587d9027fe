#pragma once
// Checks I1, I2 and I8 on every block of the pool.

#include <optional>
#include <string>
#include <vector>

#include "02-block-pool/tests/pool_view.h"

namespace kv::grader {

// The first broken invariant, in the contract's words; nullopt if all hold.
inline std::optional<std::string> broken_pool_invariant(BlockPool& pool) {
  std::vector<int> num_listed(pool.blocks().size(), 0);
  for (const BlockId id : free_ids(pool)) ++num_listed.at(static_cast<std::size_t>(id));
  std::size_t num_free = 0;
  for (std::size_t i = 0; i < pool.blocks().size(); ++i) {
    const KVCacheBlock& block = pool.blocks()[i];
    const auto name = [i] {
      return "#" + std::to_string(i);
    };  // made only if an invariant is broken
    const int expected = block.ref_cnt == 0 && !block.is_null ? 1 : 0;
    num_free += static_cast<std::size_t>(expected);
    if (block.block_id != static_cast<BlockId>(i))
      return "I2: a block id is stable, but " + name() + " changed";
    if (block.is_null != (i == 0)) return "I8: block 0 is the null block, and no other";
    if (block.is_null && (block.ref_cnt != 0 || block.block_hash)) {
      return "I8: the null block is never cached, and its ref_cnt stays 0";
    }
    if (num_listed[i] != expected) {
      return "I1: a block is in the free queue if and only if its ref_cnt is 0 and it is not the "
             "null block,\n   but " +
             name() + " has ref_cnt " + std::to_string(block.ref_cnt) + " and is in the queue " +
             std::to_string(num_listed[i]) + " times";
    }
  }
  if (pool.get_num_free_blocks() != num_free) {
    return "I1: get_num_free_blocks() is " + std::to_string(pool.get_num_free_blocks()) + ", and " +
           std::to_string(num_free) + " blocks are free";
  }
  return std::nullopt;
}

}  // namespace kv::grader

#pragma once
// The cost of a few tokens in a large cache, with a long table.

#include <algorithm>
#include <numeric>
#include <vector>

#include "05-paged-attention/paged_attention.h"
#include "grader/harness/cost.h"

namespace kv::grader {

// A cache of one head and two dimensions, and a table with all of its blocks in it, the last first.
struct LongTable {
  explicit LongTable(std::size_t num_blocks)
      : keys(num_blocks * kBlockSize * 2, 1), values(keys), table(num_blocks) {
    std::iota(table.rbegin(), table.rend(), 0);
  }
  KVCache<double> cache() { return {{table.size(), kBlockSize, 1, 2}, keys, values}; }

  static constexpr std::size_t kBlockSize = 4;
  std::vector<double> keys;
  std::vector<double> values;
  std::vector<BlockId> table;
};

inline Cost cost_of_build_slot_mapping(std::size_t num_blocks) {
  const LongTable memory(num_blocks);
  return cost_of(
      [&] { build_slot_mapping(memory.table, LongTable::kBlockSize, 2 * num_blocks, 10); });
}

inline Cost cost_of_write_kv(std::size_t num_blocks) {
  LongTable memory(num_blocks);
  const auto last = static_cast<SlotId>(num_blocks * LongTable::kBlockSize) - 1;
  const std::vector<SlotId> slot_mapping = {last, 0, last / 2, kPadSlotId};
  const std::vector<double> rows(slot_mapping.size() * 2, 3);
  return cost_of([&] { write_kv<double>(rows, rows, slot_mapping, memory.cache()); });
}

inline Cost cost_of_attention(std::size_t num_blocks, decltype(paged_attention<double>) attend) {
  LongTable memory(num_blocks);
  const std::vector<double> query = {1, 2};
  std::vector<double> out(2);
  return cost_of([&] { attend(out, query, memory.cache(), memory.table, 50, 1); });
}

inline const CostProbe kSlotsCost{"build_slot_mapping() of 10 tokens", "blocks in the table",
                                  cost_of_build_slot_mapping, Memory::kMayBeAskedFor};
inline const CostProbe kWriteCost{"write_kv() of 4 tokens", "blocks in the cache",
                                  cost_of_write_kv};
inline const CostProbe kAttendCost{
    "paged_attention() over 50 tokens", "blocks in the table",
    [](std::size_t num) { return cost_of_attention(num, paged_attention<double>); },
    Memory::kMayBeAskedFor};
inline const CostProbe kStreamCost{
    "paged_attention_streaming() over 50 tokens", "blocks in the table",
    [](std::size_t num) { return cost_of_attention(num, paged_attention_streaming<double>); },
    Memory::kMayBeAskedFor};

}  // namespace kv::grader

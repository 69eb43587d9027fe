#pragma once
// The cost of a few tokens in a large cache, with a long table; and of each of many tokens.

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

inline Cost cost_of_each_slot(std::size_t num_tokens) {
  const LongTable memory(num_tokens / LongTable::kBlockSize);
  return share_with_allocations(
      cost_of([&] { build_slot_mapping(memory.table, LongTable::kBlockSize, 0, num_tokens); }),
      num_tokens);
}

inline Cost cost_of_each_written_token(std::size_t num_tokens) {
  LongTable memory(num_tokens / LongTable::kBlockSize);
  std::vector<SlotId> slot_mapping(num_tokens);
  std::iota(slot_mapping.rbegin(), slot_mapping.rend(), 0);
  const std::vector<double> rows(num_tokens * 2, 3);
  return share_with_allocations(
      cost_of([&] { write_kv<double>(rows, rows, slot_mapping, memory.cache()); }), num_tokens);
}

inline Cost cost_of_each_score(std::size_t num_scores) {
  std::vector<double> scores(num_scores, 1);
  return share_with_allocations(cost_of([&] { stable_softmax<double>(scores); }), num_scores);
}

inline Cost cost_of_each_token(std::size_t seq_len, decltype(paged_attention<double>) attend) {
  LongTable memory(seq_len / LongTable::kBlockSize);
  const std::vector<double> query = {1, 2};
  std::vector<double> out(2);
  return share_with_allocations(
      cost_of([&] { attend(out, query, memory.cache(), memory.table, seq_len, 1); }), seq_len);
}

inline const CostProbe kSlotsCost{"build_slot_mapping() of 10 tokens", "blocks in the table",
                                  cost_of_build_slot_mapping, Memory::kMayBeAskedFor};
inline const CostProbe kWriteCost{"write_kv() of 4 tokens", "blocks in the cache", cost_of_write_kv,
                                  Memory::kMayBeAskedFor};
inline const CostProbe kAttendCost{
    "paged_attention() over 50 tokens", "blocks in the table",
    [](std::size_t num) { return cost_of_attention(num, paged_attention<double>); },
    Memory::kMayBeAskedFor};
inline const CostProbe kStreamCost{
    "paged_attention_streaming() over 50 tokens", "blocks in the table",
    [](std::size_t num) { return cost_of_attention(num, paged_attention_streaming<double>); },
    Memory::kMayBeAskedFor};

inline const CostProbe kEachSlotCost{"build_slot_mapping() for each token", "tokens",
                                     cost_of_each_slot, Memory::kMayBeAskedFor};
inline const CostProbe kEachWriteCost{"write_kv() for each token", "tokens",
                                      cost_of_each_written_token, Memory::kMayBeAskedFor};
inline const CostProbe kEachScoreCost{"stable_softmax() for each score", "scores",
                                      cost_of_each_score};
inline const CostProbe kAttendEachCost{
    "paged_attention() for each token", "tokens",
    [](std::size_t num) { return cost_of_each_token(num, paged_attention<double>); },
    Memory::kMayBeAskedFor};
inline const CostProbe kStreamEachCost{
    "paged_attention_streaming() for each token", "tokens",
    [](std::size_t num) { return cost_of_each_token(num, paged_attention_streaming<double>); },
    Memory::kMayBeAskedFor};

}  // namespace kv::grader

#pragma once
// The cost of a call for each of the sizes that its contract names, and beside many of all others.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "05-paged-attention/paged_attention.h"
#include "grader/harness/cost.h"

namespace kv::grader {

// What a call attends to. The table has all blocks of the cache in it, the last first.
struct AttentionSizes {
  std::size_t num_blocks = 13;
  std::size_t block_size = 4;
  std::size_t num_kv_heads = 1;
  std::size_t num_heads = 1;
  std::size_t head_dim = 2;
  std::size_t seq_len = 50;
};

struct PagedMemory {
  explicit PagedMemory(const AttentionSizes& sizes)
      : layout{sizes.num_blocks, sizes.block_size, sizes.num_kv_heads, sizes.head_dim},
        keys(layout.size(), 1),
        values(keys),
        table(sizes.num_blocks) {
    std::iota(table.rbegin(), table.rend(), 0);
  }
  KVCache<double> cache() { return {layout, keys, values}; }

  PagedLayout layout;
  std::vector<double> keys;
  std::vector<double> values;
  std::vector<BlockId> table;
};

inline Cost cost_of_slots(std::size_t num_blocks, std::size_t block_size, std::size_t padded_size) {
  std::vector<BlockId> table(num_blocks);
  std::iota(table.rbegin(), table.rend(), 0);
  const std::size_t start = num_blocks * block_size - 10;
  return cost_of([&] { build_slot_mapping(table, block_size, start, 10, padded_size); });
}

inline Cost cost_of_each_slot(std::size_t num_tokens) {
  constexpr std::size_t kBlockSize = 4;
  std::vector<BlockId> table(num_tokens / kBlockSize);
  std::iota(table.rbegin(), table.rend(), 0);
  return share_with_allocations(
      cost_of([&] { build_slot_mapping(table, kBlockSize, 0, num_tokens); }), num_tokens);
}

// Four tokens, one of them padding.
inline Cost cost_of_write_kv(const AttentionSizes& sizes) {
  PagedMemory memory(sizes);
  const auto last = static_cast<SlotId>(memory.layout.num_slots()) - 1;
  const std::vector<SlotId> slot_mapping = {last, 0, last / 2, kPadSlotId};
  const std::vector<double> rows(slot_mapping.size() * memory.layout.token_size(), 3);
  return cost_of([&] { write_kv<double>(rows, rows, slot_mapping, memory.cache()); });
}

inline Cost cost_of_each_written_token(std::size_t num_tokens) {
  PagedMemory memory({.num_blocks = num_tokens / AttentionSizes{}.block_size});
  std::vector<SlotId> slot_mapping(num_tokens);
  std::iota(slot_mapping.rbegin(), slot_mapping.rend(), 0);
  const std::vector<double> rows(num_tokens * memory.layout.token_size(), 3);
  return share_with_allocations(
      cost_of([&] { write_kv<double>(rows, rows, slot_mapping, memory.cache()); }), num_tokens);
}

inline Cost cost_of_each_score(std::size_t num_scores) {
  std::vector<double> scores(num_scores, 1);
  return share_with_allocations(cost_of([&] { stable_softmax<double>(scores); }), num_scores);
}

using Attend = decltype(&paged_attention<double>);

inline Cost cost_of_attention(Attend attend, const AttentionSizes& sizes) {
  PagedMemory memory(sizes);
  const std::vector<double> query(sizes.num_heads * sizes.head_dim, 1);
  std::vector<double> out(query.size());
  return cost_of([&] { attend(out, query, memory.cache(), memory.table, sizes.seq_len, 1); });
}

// To the first tokens of the last block, by its last KV head.
inline Cost cost_of_attend_block(const AttentionSizes& sizes) {
  PagedMemory memory(sizes);
  const std::vector<double> query(sizes.head_dim, 1);
  return cost_of([&] {
    attend_block<double>(query, memory.cache(), memory.table.front(), sizes.num_kv_heads - 1,
                         sizes.seq_len, 1);
  });
}

// The sizes of a call with `num` of something. Its cost is divided by `num` if that is a size in
// the O(...) of its contract.
using SizesWith = AttentionSizes (*)(std::size_t num);
enum class Grows { kNothing, kTheCost };

template <class CostWith>
CostProbe probe_of(
    std::string call, std::string what, Grows grows, CostWith cost_with, SizesWith sizes) {
  const auto cost = [=](std::size_t num) {
    const Cost all = cost_with(sizes(num));
    return grows == Grows::kTheCost ? share_with_allocations(all, num) : all;
  };
  if (grows == Grows::kTheCost) call += ", for each of them,";
  return {std::move(call), std::move(what), cost, Memory::kMayBeAskedFor, 2'000};
}

inline std::vector<CostProbe> slot_mapping_probes() {
  const std::string call = "build_slot_mapping() of 10 tokens";
  return {{call, "blocks in the table", [](std::size_t num) { return cost_of_slots(num, 4, 0); },
           Memory::kMayBeAskedFor},
          {call, "slots in a block", [](std::size_t num) { return cost_of_slots(2, num, 0); },
           Memory::kMayBeAskedFor},
          {call + ", for each of them,", "entries in all",
           [](std::size_t num) { return share_with_allocations(cost_of_slots(20, 4, num), num); },
           Memory::kMayBeAskedFor},
          {"build_slot_mapping(), for each of them,", "tokens", cost_of_each_slot,
           Memory::kMayBeAskedFor}};
}

inline std::vector<CostProbe> write_kv_probes() {
  const std::string call = "write_kv() of 4 tokens";
  return {
      probe_of(call, "blocks in the cache", Grows::kNothing, cost_of_write_kv,
               [](std::size_t num) { return AttentionSizes{.num_blocks = num}; }),
      probe_of(call, "slots in a block", Grows::kNothing, cost_of_write_kv,
               [](std::size_t num) { return AttentionSizes{.num_blocks = 2, .block_size = num}; }),
      probe_of(
          call, "KV heads", Grows::kTheCost, cost_of_write_kv,
          [](std::size_t num) { return AttentionSizes{.num_blocks = 1, .num_kv_heads = num}; }),
      probe_of(call, "dimensions", Grows::kTheCost, cost_of_write_kv,
               [](std::size_t num) { return AttentionSizes{.num_blocks = 1, .head_dim = num}; }),
      {"write_kv(), for each of them,", "tokens", cost_of_each_written_token,
       Memory::kMayBeAskedFor}};
}

// The probes of paged_attention, or of the same in one pass.
inline std::vector<CostProbe> attention_probes(const std::string& call, Attend attend) {
  const auto probe = [&](std::string what, Grows grows, SizesWith sizes) {
    const auto cost = [attend](const AttentionSizes& of) { return cost_of_attention(attend, of); };
    return probe_of(call, std::move(what), grows, cost, sizes);
  };
  return {
      probe("blocks in the table", Grows::kNothing,
            [](std::size_t num) { return AttentionSizes{.num_blocks = num}; }),
      probe("slots in a block", Grows::kNothing,
            [](std::size_t num) { return AttentionSizes{.num_blocks = 2, .block_size = num}; }),
      probe("tokens", Grows::kTheCost,
            [](std::size_t num) { return AttentionSizes{.num_blocks = num / 4, .seq_len = num}; }),
      probe("query heads", Grows::kTheCost,
            [](std::size_t num) {
              return AttentionSizes{.num_blocks = 1, .num_heads = num, .seq_len = 4};
            }),
      probe("heads that have a KV head each", Grows::kTheCost,
            [](std::size_t num) {
              return AttentionSizes{
                  .num_blocks = 1, .num_kv_heads = num, .num_heads = num, .seq_len = 4};
            }),
      probe("dimensions", Grows::kTheCost, [](std::size_t num) {
        return AttentionSizes{.num_blocks = 1, .head_dim = num, .seq_len = 4};
      })};
}

inline std::vector<CostProbe> attend_block_probes() {
  const auto probe = [](std::string what, Grows grows, SizesWith sizes) {
    return probe_of("attend_block()", std::move(what), grows, cost_of_attend_block, sizes);
  };
  return {probe("blocks in the cache", Grows::kNothing,
                [](std::size_t num) { return AttentionSizes{.num_blocks = num, .seq_len = 4}; }),
          probe("slots in the block", Grows::kNothing,
                [](std::size_t num) { return AttentionSizes{.block_size = num, .seq_len = 4}; }),
          probe("KV heads", Grows::kNothing,
                [](std::size_t num) { return AttentionSizes{.num_kv_heads = num, .seq_len = 4}; }),
          probe("tokens", Grows::kTheCost,
                [](std::size_t num) {
                  return AttentionSizes{.num_blocks = 1, .block_size = num, .seq_len = num};
                }),
          probe("dimensions", Grows::kTheCost, [](std::size_t num) {
            return AttentionSizes{.num_blocks = 1, .head_dim = num, .seq_len = 4};
          })};
}

inline const CostProbe kEachScoreCost{"stable_softmax() for each score", "scores",
                                      cost_of_each_score};

}  // namespace kv::grader

// Limits of the cost of attention: memory and block reads, counted, never timed.

#include <gtest/gtest.h>

#include "05-paged-attention/tests/block_switch_counter.h"
#include "05-paged-attention/tests/live_memory.h"
#include "05-paged-attention/tests/paged_attention_costs.h"
#include "grader/harness/endless.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

constexpr std::size_t kNumHeads = 2, kHeadDim = 64, kBlockSize = 16;

// Bytes that attention over seq_len tokens allocates at one time, and bytes that it copies.
struct BytesOf {
  std::size_t most_live;
  std::size_t num_moved;
};

template <class Real, class Attend>
BytesOf bytes_of(Attend attend, std::size_t seq_len) {
  const std::size_t num_blocks = seq_len / kBlockSize;
  std::vector<Real> keys(seq_len * kHeadDim, 1), values(seq_len * kHeadDim, 1);
  std::vector<Real> query(kNumHeads * kHeadDim, 1), out(query.size());
  std::vector<BlockId> table(num_blocks);
  std::iota(table.rbegin(), table.rend(), 0);
  log_step({"paged_attention(seq_len)", "attend to {0} tokens"}, seq_len);
  BytesOf bytes = {};
  bytes.most_live = most_bytes_of([&] {
    bytes.num_moved = cost_of([&] {
                        attend(out, query, {{num_blocks, kBlockSize, 1, kHeadDim}, keys, values},
                               table, seq_len, Real(0.1));
                      }).num_bytes_moved;
  });
  log_result_as("memory at one time: {0} bytes; copied: {1}", bytes.most_live, bytes.num_moved);
  return bytes;
}

void expect_costs(const std::vector<CostProbe>& probes) {
  for (const CostProbe& probe : probes) expect_cost(probe);
}

TEST(AttentionCost, OfSlotsInALongTable) {
  SPEC("the cost of slots is in proportion to the result, however long table and blocks are",
       "5.1 build_slot_mapping", "O(result)");
  expect_costs(slot_mapping_probes());
}

TEST(AttentionCost, OfWritingIntoALargeCache) {
  SPEC("write_kv has a fixed cost for each number, however large the cache and its blocks are",
       "5.2 write_kv", "O(k.size())");
  expect_costs(write_kv_probes());
}

TEST(AttentionCost, OfALongTable) {
  SPEC("the cost is in proportion to heads, tokens and dimensions, and to nothing else",
       "5.4 paged_attention", "O(num_heads * seq_len * head_dim)");
  expect_costs(attention_probes("paged_attention()", paged_attention<double>));
}

TEST(AttentionCost, OfStreamingWithALongTable) {
  SPEC("the cost is in proportion to heads, tokens and dimensions, and to nothing else",
       "5.9 paged_attention_streaming", "O(num_heads");
  expect_costs(attention_probes("paged_attention_streaming()", paged_attention_streaming<double>));
}

template <class Real>
void expect_softmax_allocates_nothing() {
  std::vector<Real> scores(1000, 1);
  EXPECT_SAME(most_bytes_of([&] { stable_softmax<Real>(scores); }), 0u)
      << "bytes that stable_softmax allocates";
}

TEST(AttentionCost, SoftmaxAllocatesNothing) {
  SPEC("weights replace scores in place, at a fixed cost for each", "5.3 stable_softmax",
       "O(scores.size())", "allocates nothing");
  expect_softmax_allocates_nothing<double>();
  expect_softmax_allocates_nothing<float>();
  expect_cost(kEachScoreCost);
}

template <class Real>
void expect_merge_allocates_nothing() {
  AttentionState<Real> state(100), more(100);
  state.max = 1;
  more.max = 2;
  state.sum = more.sum = 1;
  EXPECT_SAME(most_bytes_of([&] { merge_attn_states(state, more); }), 0u)
      << "bytes that merge_attn_states allocates";
  EXPECT_SAME(most_bytes_of([&] { merge_attn_states(state, more); }), 0u)
      << "bytes that it allocates the second time";
}

TEST(AttentionCost, MergeAllocatesNothing) {
  SPEC("merging allocates nothing", "5.8 merge_attn_states", "allocates nothing");
  expect_merge_allocates_nothing<double>();
  expect_merge_allocates_nothing<float>();
}

template <class Real>
void expect_no_copies() {
  constexpr std::size_t kSeqLen = 2048;
  // Slots are 8 bytes, whatever the numbers are.
  constexpr std::size_t kRoom = 4 * kNumHeads * kSeqLen * sizeof(double);
  static_assert(kRoom < kSeqLen * kHeadDim * sizeof(Real));
  const BytesOf bytes = bytes_of<Real>(&paged_attention<Real>, kSeqLen);
  EXPECT_HOLDS(bytes.most_live <= kRoom)
      << "it allocates " << bytes.most_live << " bytes, more than " << kRoom
      << ": four numbers for each query head and token are plenty; a copy takes " << kHeadDim;
  EXPECT_HOLDS(bytes.num_moved <= kRoom)
      << "it copies " << bytes.num_moved << " bytes: keys or values are copied";
}

TEST(AttentionCost, CopiesNoKeysAndNoValues) {
  SPEC("keys and values are read where they are", "5.4 paged_attention", "read in place",
       "memory for");
  expect_no_copies<double>();
  expect_no_copies<float>();
}

template <class Real>
void expect_memory_of_any_length() {
  EXPECT_SAME(bytes_of<Real>(&paged_attention_streaming<Real>, 64).most_live,
              bytes_of<Real>(&paged_attention_streaming<Real>, 4096).most_live)
      << "the bytes that it allocates for 64 tokens and for 4096: something grows";
}

TEST(AttentionCost, StreamingNeedsNoMoreForMoreTokens) {
  SPEC("memory does not grow with seq_len", "5.9 paged_attention_streaming", "does not grow");
  allow_steps(12'000'000);
  expect_memory_of_any_length<double>();
  expect_memory_of_any_length<float>();
}

TEST(AttentionCost, StreamingTurnsToEachBlockOnce) {
  SPEC("one pass over keys and values", "5.9 paged_attention_streaming", "in one pass");
  constexpr std::size_t kNumBlocks = 40;
  BlockSwitchCounter memory(kNumBlocks);
  const KVCache<double> cache = memory.view();
  std::vector<double> query(kNumHeads * cache.layout.head_dim, 1), out(query.size());
  std::vector<BlockId> table(kNumBlocks);
  std::iota(table.rbegin(), table.rend(), 0);
  log_step("attend to 40 blocks, each of them locked until it is read");
  const std::size_t num_switches = memory.count(
      [&] { paged_attention_streaming<double>(out, query, cache, table, kNumBlocks * 16, 1); });
  log_result_as("{0} times it turned to another block", num_switches);
  EXPECT_HOLDS(num_switches >= kNumBlocks) << "it turned to " << num_switches << " blocks of "
                                           << kNumBlocks << ", and has not read everything";
  EXPECT_HOLDS(num_switches <= kNumHeads * kNumBlocks)
      << "it turned to another block " << num_switches
      << " times: once for each block and query head is enough";
}

template <class Stored>
void expect_tile_allocates_nothing() {
  const std::vector<Stored> tile(2 * 32 * kTileTokens);
  const std::vector<float> query(kHeadsAtOnce * 32, 1);
  std::vector<AttentionState<float>> states(kHeadsAtOnce, AttentionState<float>(32));
  for (const std::size_t num_tokens : {16u, 3u, 0u}) {
    EXPECT_SAME(most_bytes_of([&] {
                  attend_tile<Stored>(tile.data(), tile.data(), query.data(), num_tokens,
                                      std::span<AttentionState<float>, kHeadsAtOnce>(states));
                }),
                0u)
        << "bytes that attend_tile allocates for " << num_tokens << " tokens";
  }
}

TEST(AttentionCost, AttendTileAllocatesNothing) {
  SPEC("a tile is added to the states in place", "5.12 attend_tile", "allocates nothing");
  expect_tile_allocates_nothing<float>();
  expect_tile_allocates_nothing<BFloat16>();
}

template <class Stored>
void expect_each_tile_once() {
  constexpr std::size_t kNumBlocks = 20, kNumKvHeads = 2, kGroupSize = 9;
  TileSwitchCounter<Stored> memory(kNumBlocks, kNumKvHeads);
  const TiledKVCache<Stored> cache = memory.view();
  std::vector<float> query(kNumKvHeads * kGroupSize * cache.head_dim, 1), out(query.size());
  std::vector<BlockId> table(kNumBlocks);
  std::iota(table.rbegin(), table.rend(), 0);
  const std::vector<std::size_t> seq_lens = {kNumBlocks * kTileTokens};
  log_step("attend to 20 blocks of 2 KV heads, each of them locked until it is read");
  const std::size_t num_switches = memory.count([&] {
    paged_attention_tiled<Stored>(out, query, cache, table, seq_lens, 1, {1, 2});
  });
  log_result_as("{0} times it turned to another tile", num_switches);
  EXPECT_SAME(num_switches, kNumBlocks * kNumKvHeads)
      << "a tile is read once, for all of the " << kGroupSize << " query heads of its group";
}

TEST(AttentionCost, GroupsReadATileOnce) {
  SPEC("each KV head is read from memory once for its whole group", "5.13 read_part",
       "once for its whole group");
  expect_each_tile_once<float>();
  expect_each_tile_once<BFloat16>();
}

}  // namespace
}  // namespace kv::grader

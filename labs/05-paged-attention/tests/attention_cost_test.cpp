// Limits of the cost of attention: memory and block reads, counted, never timed.

#include <gtest/gtest.h>

#include "05-paged-attention/tests/block_switch_counter.h"
#include "05-paged-attention/tests/live_memory.h"
#include "05-paged-attention/tests/paged_attention_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr std::size_t kNumHeads = 2, kHeadDim = 64, kBlockSize = 16;

// Bytes that attention over seq_len tokens allocates at one time, and bytes that it copies.
struct BytesOf {
  std::size_t most_live;
  std::size_t num_moved;
};

template <class Attend>
BytesOf bytes_of(Attend attend, std::size_t seq_len) {
  const std::size_t num_blocks = seq_len / kBlockSize;
  std::vector<double> keys(seq_len * kHeadDim, 1), values(seq_len * kHeadDim, 1);
  std::vector<double> query(kNumHeads * kHeadDim, 1), out(query.size());
  std::vector<BlockId> table(num_blocks);
  std::iota(table.rbegin(), table.rend(), 0);
  log_step({"paged_attention(seq_len)", "attend to {0} tokens"}, seq_len);
  BytesOf bytes = {};
  bytes.most_live = most_bytes_of([&] {
    bytes.num_moved = cost_of([&] {
                        attend(out, query, {{num_blocks, kBlockSize, 1, kHeadDim}, keys, values},
                               table, seq_len, 0.1);
                      }).num_bytes_moved;
  });
  log_result_as("memory at one time: {0} bytes; copied: {1}", bytes.most_live, bytes.num_moved);
  return bytes;
}

TEST(AttentionCost, OfSlotsInALongTable) {
  SPEC("the cost of slots depends on their number alone, however long the table is",
       "5.1 build_slot_mapping");
  expect_cost(kSlotsCost);
}

TEST(AttentionCost, OfWritingIntoALargeCache) {
  SPEC("write_kv has a fixed cost for each token, however large the cache is", "5.2 write_kv");
  expect_cost(kWriteCost);
}

TEST(AttentionCost, OfALongTable) {
  SPEC("attention over a few tokens costs the same, however long their table is",
       "5.4 paged_attention");
  expect_cost(kAttendCost);
}

TEST(AttentionCost, OfStreamingBehindALongTable) {
  SPEC("attention over a few tokens costs the same, however long their table is",
       "5.9 paged_attention_streaming");
  expect_cost(kStreamCost);
}

template <class Real>
void expect_softmax_allocates_nothing() {
  std::vector<Real> scores(1000, 1);
  EXPECT_EQ(most_bytes_of([&] { stable_softmax<Real>(scores); }), 0u);
}

TEST(AttentionCost, SoftmaxAllocatesNothing) {
  SPEC("weights replace scores in place", "5.3 stable_softmax");
  expect_softmax_allocates_nothing<double>();
  expect_softmax_allocates_nothing<float>();
}

template <class Real>
void expect_merge_allocates_nothing() {
  AttentionState<Real> state(100), more(100);
  state.max = 1;
  more.max = 2;
  state.sum = more.sum = 1;
  EXPECT_EQ(most_bytes_of([&] { merge_attn_states(state, more); }), 0u);
  EXPECT_EQ(most_bytes_of([&] { merge_attn_states(state, more); }), 0u) << "the second time";
}

TEST(AttentionCost, MergeAllocatesNothing) {
  SPEC("merging allocates nothing", "5.8 merge_attn_states");
  expect_merge_allocates_nothing<double>();
  expect_merge_allocates_nothing<float>();
}

TEST(AttentionCost, CopiesNoKeysAndNoValues) {
  SPEC("keys and values are read where they are", "5.4 paged_attention");
  constexpr std::size_t kSeqLen = 2048;
  constexpr std::size_t kRoom = 4 * kNumHeads * kSeqLen * sizeof(double);
  static_assert(kRoom < kSeqLen * kHeadDim * sizeof(double) / 2);
  const BytesOf bytes = bytes_of(&paged_attention<double>, kSeqLen);
  EXPECT_LE(bytes.most_live, kRoom)
      << "four numbers for each query head and token are plenty; a copy takes " << kHeadDim;
  EXPECT_LE(bytes.num_moved, kRoom) << "keys or values are copied";
}

TEST(AttentionCost, StreamingNeedsNoMoreForMoreTokens) {
  SPEC("memory does not grow with seq_len", "5.9 paged_attention_streaming");
  EXPECT_EQ(bytes_of(&paged_attention_streaming<double>, 64).most_live,
            bytes_of(&paged_attention_streaming<double>, 4096).most_live)
      << "something grows with the sequence";
}

TEST(AttentionCost, StreamingTurnsToEachBlockOnce) {
  SPEC("one pass over keys and values", "5.9 paged_attention_streaming");
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
  EXPECT_GE(num_switches, kNumBlocks) << "it has not read everything";
  EXPECT_LE(num_switches, kNumHeads * kNumBlocks) << "once for each block and query head is enough";
}

}  // namespace
}  // namespace kv::grader

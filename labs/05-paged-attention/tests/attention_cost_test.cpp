// Limits of the cost of attention: memory and block reads, counted, never timed.

#include <gtest/gtest.h>

#include "05-paged-attention/tests/block_switch_counter.h"
#include "05-paged-attention/tests/paged_attention_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr std::size_t kNumHeads = 2, kHeadDim = 64, kBlockSize = 16;

// The largest piece of memory that attention over seq_len tokens asks for, in bytes.
template <class Attend>
std::size_t largest_piece(Attend attend, std::size_t seq_len) {
  const std::size_t num_blocks = seq_len / kBlockSize;
  std::vector<double> keys(seq_len * kHeadDim, 1), values(seq_len * kHeadDim, 1);
  std::vector<double> query(kNumHeads * kHeadDim, 1), out(query.size());
  std::vector<BlockId> table(num_blocks);
  std::iota(table.rbegin(), table.rend(), 0);
  log_step({"paged_attention(seq_len)", "attend to {0} tokens"}, seq_len);
  forget_largest_allocation();
  attend(out, query, {{num_blocks, kBlockSize, 1, kHeadDim}, keys, values}, table, seq_len, 0.1);
  const std::size_t largest = largest_allocation();
  log_result_as("largest piece of memory: {0} bytes", largest);
  return largest;
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

TEST(AttentionCost, CopiesNoKeysAndNoValues) {
  SPEC("keys and values are read where they are", "5.4 paged_attention");
  constexpr std::size_t kSeqLen = 2048;
  constexpr std::size_t kRoom = 4 * kNumHeads * kSeqLen * sizeof(double);
  static_assert(kRoom < kSeqLen * kHeadDim * sizeof(double) / 2);
  EXPECT_LE(largest_piece(&paged_attention<double>, kSeqLen), kRoom)
      << "four numbers for each query head and token are plenty; a copy takes " << kHeadDim;
}

TEST(AttentionCost, StreamingNeedsNoMoreForMoreTokens) {
  SPEC("memory does not grow with seq_len", "5.9 paged_attention_streaming");
  EXPECT_EQ(largest_piece(&paged_attention_streaming<double>, 64),
            largest_piece(&paged_attention_streaming<double>, 4096))
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

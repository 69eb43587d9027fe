// The optimized kernel: the same answers, from tiles.

#include <gtest/gtest.h>

#include "05-paged-attention/tests/tiled_batch.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

TEST(AttentionTiled, EqualsDenseAttention) {
  SPEC("tiles change nothing: ragged lengths, groups of any size", "5.13 read_part");
  TiledBatch<float>({4, 1, 32, {16, 0, 1, 15, 17, 100}}).expect_dense({});
  for (const std::size_t num_heads : {2u, 4u, 6u, 10u, 16u}) {
    TiledBatch<float>({num_heads, 2, 64, {40, 7}}).expect_dense({});
  }
}

TEST(AttentionTiled, ReadsBFloat16) {
  SPEC("keys and values in bfloat16, sums in float", "5.13 read_part");
  TiledBatch<BFloat16>({8, 2, 128, {33, 300}}).expect_dense({});
}

TEST(AttentionTiled, ThreadsChangeNothing) {
  SPEC("the result does not depend on the number of threads, not in the last bit",
       "5.13 read_part");
  TiledBatch<float> batch({8, 2, 32, {200, 3, 77}});
  const auto expected = batch.attend({1, 3});
  EXPECT_EQ(batch.attend({2, 3}), expected);
  EXPECT_EQ(batch.attend({16, 3}), expected) << "more threads than sequences and splits";
  EXPECT_EQ(batch.attend({8, 2}), batch.attend({1, 2})) << "the same with two splits";
}

TEST(AttentionTiled, SplitsAreMerged) {
  SPEC("a sequence that is read in parts gives the same result", "5.13 read_part");
  for (const std::size_t num_splits : {2u, 3u, 8u}) {
    TiledBatch<float>({4, 2, 32, {250, 1, 0}}).expect_dense({2, num_splits});
  }
}

TEST(AttentionTiled, EqualsDenseAttentionInRandomShapes) {
  SPEC("tiles change nothing, in any shape", "5.13 read_part");
  for (std::uint64_t i = 0; i < 30 && !testing::Test::HasFailure(); ++i) {
    clear_log();
    Random random(history_seed() + i);
    const std::size_t num_kv_heads = 1 + random.below(3);
    Call call = {
        num_kv_heads * (1 + random.below(6)), num_kv_heads, 16 * (1 + random.below(5)), {}};
    call.seq_lens.resize(random.below(5));
    for (std::size_t& seq_len : call.seq_lens) seq_len = random.below(120);
    const WorkPlan plan = {1 + random.below(3), 1 + random.below(4)};
    TiledBatch<BFloat16>(call, history_seed() + i).expect_dense(plan);
  }
}

TEST(AttentionTiled, RefusesWhatItCannotRead) {
  SPEC("a plan of no threads, or another head_dim than a multiple of 16, is refused",
       "5.13 read_part");
  TiledBatch<float> batch({2, 1, 16, {20}});
  batch.expect_dense({});
  EXPECT_THROW(batch.attend({0, 1}), ContractViolation) << "no threads";
  EXPECT_THROW(batch.attend({1, 0}), ContractViolation) << "no splits";
  std::vector<float> tiles(2 * 8 * 16), out(8);
  const std::vector<BlockId> table = {0};
  const std::vector<std::size_t> seq_lens = {1};
  EXPECT_THROW(paged_attention_tiled<float>(out, std::vector<float>(8), {1, 1, 8, tiles}, table,
                                            seq_lens, 1),
               ContractViolation)
      << "head_dim 8";
  const auto attend = [&](const std::vector<BlockId>& blocks, std::size_t num_numbers) {
    std::vector<float> room(num_numbers), tile(2 * 16 * 16);
    paged_attention_tiled<float>(room, std::vector<float>(16), {1, 1, 16, tile}, blocks, seq_lens,
                                 1);
  };
  attend({0}, 16);
  EXPECT_THROW(attend({1}, 16), ContractViolation) << "there is one block";
  EXPECT_THROW(attend({0}, 32), ContractViolation) << "out is larger than query";
}

}  // namespace
}  // namespace kv::grader

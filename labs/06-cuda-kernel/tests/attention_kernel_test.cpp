// Rungs 2 to 6: each of them is attention.

#include <gtest/gtest.h>

#include <array>
#include <type_traits>
#include <utility>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

template <class Rung>
class AttentionKernel : public testing::Test {};
using Rungs = testing::Types<V1, Warp, Group, V2, Tensor>;
TYPED_TEST_SUITE(AttentionKernel, Rungs, RungName);

TYPED_TEST(AttentionKernel, EqualsDenseAttention) {
  SPEC("out is the weighted sum of values, wherever the blocks are", TypeParam::kStep,
       TypeParam::claim("the sum of weight times value"));
  for (const int seq_len : {1, 15, 16, 17, 40}) expect_dense<TypeParam>({2, 2, 64, 16, {seq_len}});
  expect_dense<TypeParam>({1, 1, 64, 16, {20}, kFarBlock});
  expect_dense<TypeParam>(with_first_score(10.5f, {1, 1, 64, 16, {300}}));
  if (!std::is_same_v<typename TypeParam::Widest, float>) return;
  expect_dense<TypeParam>(with_first_score(35, with_values_up_to(1e16f, {1, 1, 64, 16, {100}})));
}

// Some sequences without tokens, some whose tables begin with the same blocks, and tables with more
// entries than the longest sequence needs.
BatchShape random_shape(Random& random) {
  const int num_kv_heads = 1 + static_cast<int>(random.below(2));
  const int group_size = std::array{1, 2, 3, 5}[random.below(4)];
  const int block_size = 8 << random.below(3);
  std::vector<int> seq_lens(2 + random.below(2));
  for (int& seq_len : seq_lens) {
    const bool is_empty = random.below(6) == 0;
    seq_len = is_empty ? 0 : 1 + static_cast<int>(random.below(80));
  }
  return {.num_heads = num_kv_heads * group_size,
          .num_kv_heads = num_kv_heads,
          .head_size = 64 << random.below(2),
          .block_size = block_size,
          .seq_lens = seq_lens,
          .num_shared_blocks = static_cast<int>(random.below(4)),
          .num_spare_entries = static_cast<int>(random.below(3))};
}

// Twice, because the second time all is in other rows of the same memory.
template <class Rung>
void expect_dense_of_any_batch(std::uint64_t seed) {
  Random random(seed);
  DecodeBatch<typename Rung::Widest> batch(random_shape(random), 0, seed);
  const int partition_size = Rung::kPartitionUnit * (1 + static_cast<int>(random.below(32)));
  expect_dense<Rung>(batch, partition_size);
  if (testing::Test::HasFailure()) return;
  batch.reverse_sequences();
  expect_dense<Rung>(batch, partition_size);
}

TYPED_TEST(AttentionKernel, SequencesOfDifferentLengths) {
  SPEC("each sequence of a batch has its own length; some share blocks", TypeParam::kStep,
       TypeParam::claim("for each sequence"));
  expect_dense<TypeParam>(with_spare_entries(3, {2, 2, 64, 16, {33, 5, 64, 150}}));
  expect_dense<TypeParam>(with_spare_entries(800, {1, 1, 64, 16, {20}}));  // for 12,816 tokens
  for (std::uint64_t i = 0; i < 4; ++i) {
    if (testing::Test::HasFailure()) return;
    clear_log();
    expect_dense_of_any_batch<TypeParam>(history_seed() + i);
  }
  expect_dense<TypeParam>(with_full_table({2, 1, 64, 16, {5, 32}}));
  expect_dense<TypeParam>({2, 1, 64, 16, {kMaxTensorPartition}}, 0, kMaxTensorPartition);
}

TYPED_TEST(AttentionKernel, NoTokensGiveZeros) {
  SPEC("a sequence without tokens has the result 0", TypeParam::kStep,
       TypeParam::claim("0 without tokens"));
  expect_dense<TypeParam>({2, 1, 64, 16, {0, 3, 0}});
}

TYPED_TEST(AttentionKernel, GroupsShareAKVHead) {
  SPEC("query head h reads KV head h / (num_heads / num_kv_heads)", TypeParam::kStep,
       TypeParam::claim("over its seq_len tokens"));
  for (const int num_kv_heads : {1, 2, 8}) expect_dense<TypeParam>({8, num_kv_heads, 64, 16, {19}});
  for (const int group_size : {2, 3, 5, 16, 17, 32}) {
    if (group_size > TypeParam::kMaxGroupSize) break;
    expect_dense<TypeParam>({2 * group_size, 2, 64, 16, {3, 19}});
  }
  expect_dense<TypeParam>(with_infinity({4, 2, 64, 16, {40}}));
}

TYPED_TEST(AttentionKernel, HeadAndBlockSizes) {
  SPEC("head_size is 64 or 128, block_size 8, 16 or 32", TypeParam::kStep,
       TypeParam::claim("over its seq_len tokens"));
  for (const int block_size : {8, 16, 32}) {
    expect_dense<TypeParam>({2, 1, 128, block_size, {block_size - 1, 2 * block_size + 1}});
  }
  DecodeBatch<typename TypeParam::Widest> batch({2, 1, 64, 16, {5}});
  auto params = batch.params();
  const auto expect_refused_with = [&params](int& size, int value, const char* why) {
    const int right = std::exchange(size, value);
    EXPECT_REFUSED(TypeParam::launch(params)) << why;
    size = right;
  };
  expect_refused_with(params.head_size, 96, "head_size 96");
  expect_refused_with(params.block_size, 24, "block_size 24");
  expect_refused_with(params.num_kv_heads, 0, "there is no KV head");
  expect_refused_with(params.num_kv_heads, 4, "2 query heads share 4 KV heads");
}

TYPED_TEST(AttentionKernel, LargeScoresStayFinite) {
  SPEC("no exp overflows, however large the scores are", TypeParam::kStep,
       TypeParam::claim("the sum of weight times value"));
  expect_dense<TypeParam>({1, 1, 64, 16, {24}}, 1000);
  expect_dense<TypeParam>({4, 4, 64, 16, {1, 1}}, 1e12f);  // some of these are below -1e11
}

template <class Rung>
class ThreadBlocks : public testing::Test {};
using RungsWithoutPartitions = testing::Types<V1, Warp, Group>;
TYPED_TEST_SUITE(ThreadBlocks, RungsWithoutPartitions, RungName);

TYPED_TEST(ThreadBlocks, OneForEachHead) {
  SPEC("each head of each sequence has a thread block of its own", TypeParam::kStep,
       TypeParam::claim("One thread block for each query head"));
  DecodeBatch<float> batch({2, 2, 64, 16, {20, 5}});
  PagedAttentionParams<float> params = batch.params();
  log_step({TypeParam::kCall, TypeParam::kCall});
  OwnBlocks blocks([&] { TypeParam::launch(params); });
  for (std::size_t row = 0; row < 4; ++row) {
    const std::vector<float> numbers(64, 1);
    DeviceArray<float> query(4 * numbers.size());
    for (std::size_t other = 0; other < 4; ++other) {
      if (other != row) query.write(other * numbers.size(), numbers.data(), numbers.size());
    }
    params.query = query.data();
    blocks.add("head " + std::to_string(row % 2) + " of sequence " + std::to_string(row / 2),
               [&] { TypeParam::launch(params); });
  }
}

// Heads 0, 4 and 8 of a group of nine belong to three slices.
TEST(ThreadBlocksOfAGroup, OneForFourHeads) {
  SPEC("a larger group has a thread block for each four of its query heads", Group::kStep,
       "one thread block for up to four query heads");
  DecodeBatch<float> batch({9, 1, 64, 16, {20}});
  PagedAttentionParams<float> params = batch.params();
  log_step({Group::kCall, Group::kCall});
  OwnBlocks blocks([&] { Group::launch(params); });
  for (const std::size_t head : {0u, 4u, 8u}) {
    const std::vector<float> numbers(64, 1);
    DeviceArray<float> query(9 * numbers.size());
    for (std::size_t other = 0; other < 9; ++other) {
      if (other != head) query.write(other * numbers.size(), numbers.data(), numbers.size());
    }
    params.query = query.data();
    blocks.add("head " + std::to_string(head), [&] { Group::launch(params); });
  }
  expect_each_result_written_once<Group>();
}

TEST(AttentionKernelV1, RefusesScoresThatDoNotFit) {
  SPEC("47 KiB of shared memory hold the scores of 12,032 tokens", V1::kStep, "47 KiB");
  DecodeBatch<float> batch({1, 1, 64, 32, {12'032}});
  PagedAttentionParams<float> params = batch.params();
  params.max_seq_len = 12'033;
  EXPECT_REFUSED(launch_paged_attention_v1(params)) << "12,033 scores of 4 bytes";
  EXPECT_HOLDS(std::isnan(batch.out().front())) << "the refused call has written out";
  params.max_seq_len = 12'032;
  expect_no_findings(
      seen_of(simt::ThreadOrder::kForward, false, [&] { launch_paged_attention_v1(params); }), "");
  batch.expect_dense(batch.out());
}

// Keys, values and query are rounded before both sides see them; sums are float.
template <class Rung>
class NarrowAttention : public testing::Test {};
TYPED_TEST_SUITE(NarrowAttention, LaterRungs, RungName);

TYPED_TEST(NarrowAttention, SumsInFloat) {
  SPEC("half and bfloat16 are stored, sums are float", TypeParam::kStep);
  constexpr float kSteep = 10;  // scores of tens
  // A narrow sum that has reached 1 does not change when it adds exp(-8) or exp(-6).
  expect_dense<TypeParam, __half>(with_first_score(8, {4, 2, 64, 8, {1100, 33}}));
  expect_dense<TypeParam, __nv_bfloat16>(with_first_score(6, {4, 2, 64, 16, {300, 33}}));
  expect_dense<TypeParam, __half>({2, 1, 64, 16, {150, 9}}, kSteep);
  expect_dense<TypeParam, __half>({2, 2, 128, 8, {21}});
  expect_dense<TypeParam, __half>(with_full_table({2, 1, 64, 8, {5, 24}}));
  expect_dense<TypeParam, __nv_bfloat16>({2, 1, 64, 16, {150, 9}});
  expect_dense<TypeParam, __nv_bfloat16>({2, 2, 128, 32, {33}}, kSteep);
  expect_dense<TypeParam, __nv_bfloat16>(with_values_up_to(1e6f, {2, 1, 64, 16, {40}}));
}

}  // namespace
}  // namespace kv::grader

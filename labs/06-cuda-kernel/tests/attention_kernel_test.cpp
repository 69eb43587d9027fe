// Rungs 2 to 5: each of them is attention.

#include <gtest/gtest.h>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

constexpr int kFarBlock = 5'000'000;  // the index of a number behind it needs more than 32 bits

template <class Rung>
class AttentionKernel : public testing::Test {};
using Rungs = testing::Types<V1, Warp, Group, V2>;
TYPED_TEST_SUITE(AttentionKernel, Rungs, RungName);

TYPED_TEST(AttentionKernel, EqualsDenseAttention) {
  SPEC("out is the weighted sum of values, wherever the blocks are", TypeParam::kStep,
       TypeParam::claim("the sum of weight times value"));
  for (const int seq_len : {1, 15, 16, 17, 40}) expect_dense<TypeParam>({2, 2, 64, 16, {seq_len}});
  expect_dense<TypeParam>({1, 1, 64, 16, {20}, kFarBlock});
}

TYPED_TEST(AttentionKernel, SequencesOfDifferentLengths) {
  SPEC("each sequence of a batch has its own length", TypeParam::kStep,
       TypeParam::claim("for each sequence"));
  expect_dense<TypeParam>({2, 2, 64, 16, {33, 5, 64, 150}});
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
  expect_dense<TypeParam>({6, 2, 64, 16, {3, 19}});  // groups of three
}

TYPED_TEST(AttentionKernel, HeadAndBlockSizes) {
  SPEC("head_size is 64 or 128, block_size 8, 16 or 32", TypeParam::kStep,
       TypeParam::claim("over its seq_len tokens"));
  for (const int block_size : {8, 16, 32}) {
    expect_dense<TypeParam>({2, 1, 128, block_size, {block_size - 1, 2 * block_size + 1}});
  }
  DecodeBatch<float> batch({2, 1, 64, 16, {5}});
  PagedAttentionParams<float> params = batch.params();
  params.head_size = 96;
  EXPECT_REFUSED(TypeParam::launch(params)) << "head_size 96";
}

TYPED_TEST(AttentionKernel, LargeScoresStayFinite) {
  SPEC("no exp overflows, however large the scores are", TypeParam::kStep,
       TypeParam::claim("the sum of weight times value"));
  expect_dense<TypeParam>({1, 1, 64, 16, {24}}, 1000);
}

TEST(AttentionKernelV1, RefusesScoresThatDoNotFit) {
  SPEC("47 KiB of shared memory hold the scores of 12,032 tokens", V1::kStep, "47 KiB");
  DecodeBatch<float> batch({1, 1, 64, 16, {5}});
  PagedAttentionParams<float> params = batch.params();
  params.max_seq_len = 12'033;
  EXPECT_REFUSED(launch_paged_attention_v1(params)) << "12,033 scores of 4 bytes";
  EXPECT_HOLDS(std::isnan(batch.out().front())) << "the refused call has written out";
  params.max_seq_len = 12'032;
  launch_paged_attention_v1(params);
  batch.expect_dense(batch.out());
}

// Keys, values and query are rounded before both sides see them; sums are float.
template <class Rung>
class NarrowAttention : public testing::Test {};
TYPED_TEST_SUITE(NarrowAttention, LaterRungs, RungName);

TYPED_TEST(NarrowAttention, SumsInFloat) {
  SPEC("half and bfloat16 are stored, sums are float", TypeParam::kStep);
  constexpr float kSteep = 10;  // scores of tens
  expect_dense<TypeParam, __half>({2, 1, 64, 16, {150, 9}}, kSteep);
  expect_dense<TypeParam, __half>({2, 2, 128, 8, {21}});
  expect_dense<TypeParam, __nv_bfloat16>({2, 1, 64, 16, {150, 9}});
  expect_dense<TypeParam, __nv_bfloat16>({2, 2, 128, 32, {33}}, kSteep);
}

}  // namespace
}  // namespace kv::grader

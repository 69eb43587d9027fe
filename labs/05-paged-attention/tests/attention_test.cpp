// One query over the blocks of one sequence, in two passes and streaming.

#include <gtest/gtest.h>

#include <cmath>

#include "05-paged-attention/tests/attention_fixture.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

TYPED_TEST_SUITE(Attention, Ways, WayName);

// Two tokens, one head, one dimension: small enough for a pencil.
TYPED_TEST(Attention, WeighsValuesByTheirScores) {
  SPEC("the weight of a value is exp(scale * query . key), over the sum of all weights",
       TypeParam::kStep, TypeParam::claim("sum over i of"),
       TypeParam::claim("softmax of the scores"));
  std::vector<double> keys = {9, 9, std::log(9.0), 0};
  std::vector<double> values = {9, 9, 4, 8};
  const KVCache<double> cache = {{2, 2, 1, 1}, keys, values};
  const std::vector<double> query = {1};
  const std::vector<BlockId> table = {1};
  log_start("", {"", "keys [ln 9, 0], values [4, 8], query 1, scale 0.5: weights 3/4 and 1/4"});
  std::vector<double> out(1);
  log_step({TypeParam::kCall, "attend to {0} tokens"}, 2, table);
  TypeParam::template kAttend<double>(out, query, cache, table, 2, 0.5);
  log_result(out[0]);
  expect_near(out, {5}, kDoubleTolerance, 1);
}

TYPED_TEST(Attention, NoTokensGiveZeros) {
  SPEC("attention to no tokens is zero, whatever out held", TypeParam::kStep,
       TypeParam::claim("out is 0"));
  this->template expect_dense<double>(PagedFixture({4, 2, 3, 4, 0}), kDoubleTolerance);
}

TYPED_TEST(Attention, EqualsDenseAttentionAtBlockBoundaries) {
  SPEC("gathering through a table changes nothing, also where blocks begin and end",
       TypeParam::kStep, TypeParam::claim("over the first seq_len tokens"));
  for (const std::size_t seq_len : {1u, 7u, 8u, 9u, 15u, 16u, 17u, 41u}) {
    this->template expect_dense<double>(PagedFixture({2, 2, 4, 8, seq_len}), kDoubleTolerance);
  }
}

TYPED_TEST(Attention, TakesAnyHeadDim) {
  SPEC("head_dim is any number of dimensions", TypeParam::kStep);
  for (const std::size_t head_dim : {1u, 3u, 7u, 33u, 64u}) {
    this->template expect_dense<double>(PagedFixture({2, 1, head_dim, 4, 10}), kDoubleTolerance);
  }
}

TYPED_TEST(Attention, GroupsShareAKVHead) {
  SPEC("query head h reads KV head h / (num_heads / num_kv_heads)", TypeParam::kStep);
  for (const std::size_t num_kv_heads : {1u, 2u, 3u, 6u}) {
    this->template expect_dense<double>(PagedFixture({6, num_kv_heads, 4, 4, 6}), kDoubleTolerance);
  }
  this->template expect_dense<double>(PagedFixture({600, 2, 1, 4, 2}), kDoubleTolerance);
}

TYPED_TEST(Attention, EqualsDenseAttentionInRandomShapes) {
  SPEC("gathering through a table changes nothing, in any shape", TypeParam::kStep);
  for (std::uint64_t i = 0; i < 60 && !this->HasFailure(); ++i) {
    clear_log();
    const std::uint64_t seed = history_seed() + i;
    Random random(seed);
    const std::size_t num_kv_heads = 1 + random.below(4);
    const Shape shape = {num_kv_heads * (1 + random.below(4)), num_kv_heads, 1 + random.below(40),
                         1 + random.below(20), random.below(200)};
    this->template expect_dense<double>(PagedFixture(shape, seed), kDoubleTolerance);
    if (this->HasFailure()) ADD_FAILURE() << "to replay: --seed " << seed;
  }
}

TYPED_TEST(Attention, RefusesUnevenGroups) {
  SPEC("num_heads that is no multiple of num_kv_heads is refused", TypeParam::kStep);
  this->template expect_dense<double>(PagedFixture({8, 4, 2, 4, 5}), kDoubleTolerance);
  PagedFixture uneven({6, 4, 2, 4, 5});
  EXPECT_THROW(this->template attend<double>(uneven, 0), ContractViolation)
      << "6 query heads on 4 KV heads";
}

TYPED_TEST(Attention, RefusesATableThatLeadsNowhere) {
  SPEC("a table that is too short, or leads out of the cache, is refused", TypeParam::kStep);
  std::vector<double> memory(2 * 4);
  const KVCache<double> cache = {{2, 4, 1, 1}, memory, memory};
  const std::vector<double> query(1);
  std::vector<double> out(1);
  const auto attend = [&](const std::vector<BlockId>& table, std::size_t seq_len) {
    log_step({TypeParam::kCall, "attend to {0} tokens, table {1}"}, seq_len, table);
    TypeParam::template kAttend<double>(out, query, cache, table, seq_len, 1);
    log_returned();
  };
  attend({1, 7}, 4);
  EXPECT_THROW(attend({1}, 5), ContractViolation) << "5 tokens need two blocks of 4";
  EXPECT_THROW(attend({1, 2}, 5), ContractViolation) << "the cache has blocks 0 and 1";
  EXPECT_THROW(attend({-1}, 1), ContractViolation) << "no block has this id";
}

}  // namespace
}  // namespace kv::grader

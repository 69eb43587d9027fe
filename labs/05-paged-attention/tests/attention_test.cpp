// One query over the blocks of one sequence, in two passes and streaming.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "05-paged-attention/tests/attention_fixture.h"
#include "grader/harness/sweep.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

TYPED_TEST_SUITE(Attention, Ways, WayName);

const LoopsOfLab kLoops("each round of a loop goes on to the next token or block", 6'000'000);

// Three tokens of equal scores, one of them with this value: the result has it too. A result that
// hides it also hides where it came from.
template <class Way, class Real>
void expect_value_shows(Real value) {
  std::vector<Real> keys(4), values = {1, 2, value, 4}, out(1);
  log_step({Way::kCall, "values 1 2 {2}, attend to {0} tokens"}, 3, std::vector<BlockId>{0, 1},
           value);
  Way::template attend<Real>(out, std::vector<Real>{1}, {{2, 2, 1, 1}, keys, values},
                             std::vector<BlockId>{0, 1}, 3, 1);
  log_result(out[0]);
  EXPECT_HOLDS(out[0] == value || (std::isnan(out[0]) && std::isnan(value)))
      << "expected " << draw(value) << ", yours is " << draw(out[0]);
}

template <class Way, class Real>
void expect_infinity_and_nan_show() {
  using Limits = std::numeric_limits<Real>;
  for (const Real value : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()})
    expect_value_shows<Way>(value);
}

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
  TypeParam::template attend<double>(out, query, cache, table, 2, 0.5);
  log_result(out[0]);
  expect_near(out, {5}, kDoubleTolerance, 1);
  keys = {9, 9, 0, -20};
  values = {9, 9, 0, std::exp(20.0)};
  log_step({TypeParam::kCall, "keys [0, -20], values [0, e^20], attend to {0} tokens"}, 2, table);
  TypeParam::template attend<double>(out, query, cache, table, 2, 1);
  log_result(out[0]);
  expect_near(out, {1 / (1 + std::exp(-20.0))}, kDoubleTolerance, 1);
  expect_infinity_and_nan_show<TypeParam, double>();
  expect_infinity_and_nan_show<TypeParam, float>();
}

TYPED_TEST(Attention, NoTokensGiveZeros) {
  SPEC("attention to no tokens is zero, whatever out held", TypeParam::kStep,
       TypeParam::claim("out is 0"));
  this->template expect_dense_in<double, float>(PagedFixture({4, 2, 3, 4, 0}));
}

// "1 2 4": the powers of 2 whose mean is this number.
std::string draw_powers_with_mean(double mean) {
  for (int num = 1; num <= 8; ++num) {
    const auto sum = static_cast<unsigned>(std::lround(mean * num));
    if (std::popcount(sum) != num || !near<double>(mean, sum / static_cast<double>(num), 1e-9))
      continue;
    std::string powers;
    for (unsigned power = 1; power <= sum; power *= 2) {
      if ((sum & power) != 0) powers += (powers.empty() ? "" : " ") + std::to_string(power);
    }
    return powers;
  }
  return "none of these values";
}

// All keys are 0, so the result is the mean of the values, and says which of them were read: those
// of positions 0 to 4 are 1, 2, 4, 8 and 16.
template <class Way>
void expect_mean_of_values() {
  const std::vector<BlockId> table = {3, 1, 2};
  std::vector<double> keys(8), values = {32, 64, 4, 8, 16, 128, 1, 2}, out(1);
  const KVCache<double> cache = {{4, 2, 1, 1}, keys, values};
  log_start("",
            {"shape(block_size)",
             "blocks of {0} slots, table [3 1 2], keys 0, values 1 2 4 8 16; in the slots "
             "of no token 32 64 128"},
            2);
  for (std::size_t seq_len = 1; seq_len <= 5; ++seq_len) {
    const auto attend = [&](const KVCache<double>& to) {
      std::vector<double> result = out;  // the result of the call before: it has to be overwritten
      Way::template attend<double>(result, std::vector<double>{1}, to, table, seq_len, 1);
      return result;
    };
    log_step({Way::kCall, "attend to {0} tokens"}, seq_len, table);
    out = attend(cache);
    const double sum = std::exp2(static_cast<double>(seq_len)) - 1;
    const double expected = sum / static_cast<double>(seq_len);
    log_result(out[0]);
    if (near(out[0], expected, kDoubleTolerance)) continue;
    const double yours = std::exchange(out[0], 0);
    log_slots_read(cache, attend);
    ADD_FAILURE() << "expected " << draw(expected) << ", the mean of the values "
                  << draw_powers_with_mean(expected) << "; yours is " << draw(yours)
                  << ", the mean of " << draw_powers_with_mean(yours);
    return;
  }
}

// All keys are 0, and each slot of block 1 is read twice: the result is the mean of the values.
template <class Way>
void expect_mean_with_a_block_twice(const std::vector<BlockId>& table) {
  std::vector<double> keys(4), values = {1, 2, 4, 8}, out(1);
  log_start("", {"", "blocks of 2 slots, keys 0, values 1 2 4 8"});
  log_step({Way::kCall, "attend to {0} tokens, table {1}"}, 6, table);
  Way::template attend<double>(out, std::vector<double>{1}, {{2, 2, 1, 1}, keys, values}, table, 6,
                               1);
  log_result(out[0]);
  expect_near(out, {(1 + 2 + 2 * (4 + 8)) / 6.0}, kDoubleTolerance, 1);
}

TYPED_TEST(Attention, EqualsDenseAttentionAtBlockBoundaries) {
  SPEC("gathering through a table changes nothing, also where blocks begin and end",
       TypeParam::kStep, TypeParam::claim("over the first seq_len tokens"));
  allow_steps(10'000'000);
  expect_mean_of_values<TypeParam>();
  for (const std::vector<BlockId>& table : {std::vector<BlockId>{1, 1, 0}, {1, 0, 1}})
    expect_mean_with_a_block_twice<TypeParam>(table);
  for (const std::size_t block_size : {8u, 32u, 300u}) {
    for (const std::size_t seq_len : {std::size_t{1}, block_size - 1, block_size, block_size + 1,
                                      2 * block_size - 1, 2 * block_size, 2 * block_size + 1}) {
      this->template expect_dense_in<double, float>(PagedFixture({2, 2, 4, block_size, seq_len}));
    }
  }
  for (const std::size_t block_size : sizes_up_to(1024))
    if (!this->HasFailure())
      this->template expect_dense_in<double, float>(
          PagedFixture({1, 1, 2, block_size, 2 * block_size - 1}));
}

TYPED_TEST(Attention, TakesAnyHeadDim) {
  SPEC("head_dim is any number of dimensions", TypeParam::kStep);
  for (const std::size_t head_dim : {1u, 3u, 7u, 33u, 64u}) {
    this->template expect_dense_in<double, float>(PagedFixture({2, 1, head_dim, 4, 10}));
  }
  for (const std::size_t head_dim : sizes_up_to(2048))
    if (!this->HasFailure())
      this->template expect_dense_in<double, float>(PagedFixture({1, 1, head_dim, 2, 3}));
}

// The values of KV head 0 have an infinity, those of KV head 1 have none.
template <class Way, class Real>
void expect_infinity_stays_in_its_head() {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  std::vector<Real> keys(8), values = {1, 1, kInfinity, 2, 3, 3, 4, 6}, out(4);
  const std::vector<BlockId> table = {1, 0};
  log_start("", {"", "keys 0, values of KV head 0: 3 4 1 {0}, of KV head 1: 3 6 1 2"}, kInfinity);
  log_step({Way::kCall, "attend to {0} tokens, table {1}"}, 4, table);
  Way::template attend<Real>(out, std::vector<Real>(4, 1), {{2, 2, 2, 1}, keys, values}, table, 4,
                             1);
  log_returned();
  expect_near(out, {kInfinity, kInfinity, 3, 3}, tolerance_of<Real>(16), 1);
}

TYPED_TEST(Attention, GroupsShareAKVHead) {
  SPEC("query head h reads KV head h / (num_heads / num_kv_heads)", TypeParam::kStep);
  allow_steps(13'000'000);
  for (const std::size_t num_kv_heads : {1u, 2u, 3u, 6u}) {
    this->template expect_dense_in<double, float>(PagedFixture({6, num_kv_heads, 4, 4, 6}));
  }
  this->template expect_dense_in<double, float>(PagedFixture({600, 2, 1, 4, 2}));
  for (const std::size_t group_size : sizes_up_to(256))
    if (!this->HasFailure())
      this->template expect_dense_in<double, float>(PagedFixture({2 * group_size, 2, 1, 2, 3}));
  expect_infinity_stays_in_its_head<TypeParam, double>();
  expect_infinity_stays_in_its_head<TypeParam, float>();
}

TYPED_TEST(Attention, EqualsDenseAttentionInRandomShapes) {
  SPEC("gathering through a table changes nothing, in any shape", TypeParam::kStep);
  allow_steps(50'000'000);
  for (std::uint64_t i = 0; i < 60 && !this->HasFailure(); ++i) {
    clear_log();
    const std::uint64_t seed = history_seed() + i;
    Random random(seed);
    const std::size_t num_kv_heads = 1 + random.below(4);
    const Shape shape = {num_kv_heads * (1 + random.below(4)), num_kv_heads, 1 + random.below(40),
                         1 + random.below(20), random.below(200)};
    this->template expect_dense_in<double, float>(PagedFixture(shape, seed));
    if (this->HasFailure()) ADD_FAILURE() << "to replay: --seed " << seed;
  }
}

TYPED_TEST(Attention, RefusesUnevenGroups) {
  SPEC("num_heads that is no multiple of num_kv_heads is refused", TypeParam::kStep);
  this->template expect_dense<double>(PagedFixture({8, 4, 2, 4, 5}), kDoubleTolerance);
  PagedFixture uneven({6, 4, 2, 4, 5});
  EXPECT_REFUSED(this->template attend<double>(uneven, 0)) << "6 query heads on 4 KV heads";
  std::vector<double> memory(4), query(1), out(1, -7);
  const std::vector<BlockId> table = {1};
  for (const std::size_t seq_len : {0u, 1u}) {
    log_step({TypeParam::kCall, "one query head on 2 KV heads, {0} tokens"}, seq_len);
    EXPECT_REFUSED(TypeParam::template attend<double>(
        out, query, KVCache<double>{{2, 1, 2, 1}, memory, memory}, table, seq_len, 1))
        << "1 query head on 2 KV heads, " << seq_len << " tokens";
    EXPECT_SAME(out[0], -7) << "nothing is written then";
  }
}

TYPED_TEST(Attention, RefusesATableThatLeadsNowhere) {
  SPEC("a table that is too short, or leads out of the cache, is refused", TypeParam::kStep);
  std::vector<double> memory(2 * 4);
  const KVCache<double> cache = {{2, 4, 1, 1}, memory, memory};
  const std::vector<double> query(1);
  std::vector<double> out(1);
  const auto attend = [&](const std::vector<BlockId>& table, std::size_t seq_len) {
    log_step({TypeParam::kCall, "attend to {0} tokens, table {1}, blocks of 4 slots"}, seq_len,
             table);
    TypeParam::template attend<double>(out, query, cache, table, seq_len, 1);
    log_returned();
  };
  attend({1, 7}, 4);
  EXPECT_REFUSED(attend({1}, 5)) << "5 tokens need two blocks of 4";
  EXPECT_REFUSED(attend({1, 2}, 5)) << "the cache has blocks 0 and 1";
  EXPECT_REFUSED(attend({-1}, 1)) << "no block has this id";
}

}  // namespace
}  // namespace kv::grader

// What every way into attention promises, in float and in double.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "05-paged-attention/tests/entry_points.h"
#include "05-paged-attention/tests/far_apart.h"
#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/page_trap.h"
#include "grader/harness/endless.h"
#include "grader/harness/sweep.h"
#include "kv/require.h"

namespace kv::grader::entry_point {
namespace {

TYPED_TEST_SUITE(EntryPoint, EntryPoints, WayName);

template <class Real, class Test>
void expect_equal_placements(Test& test) {
  PagedFixture fixture({4, 2, 16, 4, 30});
  log_shape(fixture.shape());
  const auto first = test.template attend<Real>(fixture, kPoisons<Real>[0]);
  const auto second = test.template attend<Real>(fixture, kPoisons<Real>[1]);
  EXPECT_SAME(first, second) << "two placements, two results";
}

// Eight blocks of four slots: neighbors in memory, in the order of the table or against it, and
// not.
template <class Real, class Test>
void expect_neighbors_as_others(Test& test) {
  PagedFixture fixture({2, 1, 16, 4, 32});
  std::vector<std::vector<Real>> results;
  for (const std::vector<BlockId>& table : {std::vector<BlockId>{1, 2, 3, 4, 5, 6, 7, 8},
                                            {8, 7, 6, 5, 4, 3, 2, 1},
                                            {1, 3, 5, 7, 2, 4, 6, 8},
                                            {5, 6, 1, 2, 7, 8, 3, 4}}) {
    PoisonedCache<Real> cache({9, 4, 1, 16}, kPoisons<Real>[0]);
    for (std::size_t i = 0; i < 32; ++i) cache.put(fixture.sequence(), table, i);
    results.push_back(test.template attend_with_ones<Real>(cache.view(), table, 32));
    EXPECT_SAME(results.back(), results.front()) << "two placements, two results";
  }
}

TYPED_TEST(EntryPoint, PlacementNeverShows) {
  SPEC("I11: where the blocks are never shows in the result, not in the last bit",
       TypeParam::kStep);
  expect_equal_placements<double>(*this);
  expect_equal_placements<float>(*this);
  expect_neighbors_as_others<double>(*this);
  expect_neighbors_as_others<float>(*this);
}

template <class Real, class Test>
void expect_finite(Test& test) {
  PagedFixture fixture({2, 1, 4, 4, 9});
  for (double& number : fixture.sequence().keys) number = number < 0 ? -1e4 : 1e4;
  for (const char* sign : {"positive", "negative"}) {
    log_shape(fixture.shape(), ", keys of 10,000 and -10,000, a " + std::string(sign) + " scale");
    for (const Real number : test.template attend<Real>(fixture, kPoisons<Real>[0])) {
      EXPECT_HOLDS(std::abs(number) <= Real(1.0001))
          << "values are within 1, and so are their means, but yours is " << draw(number)
          << draw_reason_of_nan(number);
    }
    fixture.multiply_scale(-1);
  }
}

// Equal scores, as far from 0 as the type allows.
template <class Real, class Test>
void expect_mean_of_equal(Test& test, Real score) {
  std::vector<Real> keys(4, score), values = {1, 2, 3, 6};
  log_start("", {"", "four scores of {0}, values 1 2 3 6"}, score);
  expect_near(
      test.template attend_with_ones<Real>(KVCache<Real>{{2, 2, 1, 1}, keys, values}, {0, 1}, 4),
      {3, 3}, tolerance_of<Real>(16), 1);
}

TYPED_TEST(EntryPoint, LargeLogitsStayFinite) {
  SPEC("scores may be far from 0 and from each other: a mean of the values", TypeParam::kStep);
  allow_steps(20'000'000);
  expect_finite<double>(*this);
  expect_finite<float>(*this);
  for (const double score : {1e300, -1e300}) expect_mean_of_equal(*this, score);
  for (const float score : {1e37f, -1e37f}) expect_mean_of_equal(*this, score);
  expect_heads_far_apart<TypeParam, double>();
  expect_heads_far_apart<TypeParam, float>();
  for (const double distance : {12, 14}) expect_many_small_weights(*this, distance);
  for (const float distance : {12.0f, 14.0f}) expect_many_small_weights(*this, distance);
  expect_any_growth<double>(*this);
  expect_any_growth<float>(*this);
}

TYPED_TEST(EntryPoint, EachTypeErrsAsItsSumsDo) {
  SPEC("in float and in double the error is that of its sums, with any scale", TypeParam::kStep);
  allow_steps(25'000'000);
  for (const std::size_t seq_len : {5u, 100u, 1000u})
    this->template expect_dense_in<float, double>(PagedFixture({2, 1, 60, 16, seq_len}));
  for (const double factor : {-1.0, 0.0, 3.0}) {
    PagedFixture fixture({2, 1, 8, 4, 10});
    fixture.multiply_scale(factor);
    this->template expect_dense_in<float, double>(fixture);
  }
  for (const std::size_t group_size : {17u, 24u, 31u, 32u})
    this->template expect_dense_in<float, double>(PagedFixture({2 * group_size, 2, 4, 4, 10}));
  for (const std::size_t seq_len : sizes_up_to(2048))
    if (!this->HasFailure())
      this->template expect_dense_in<float, double>(PagedFixture({1, 1, 2, 16, seq_len}));
}

// All scores are 1, so the result is the mean of the values. The table is in order, and longer than
// needed.
struct ManyOfThem {
  std::size_t num_heads;
  PagedLayout layout;
  std::vector<double> values;

  template <class Way>
  std::vector<double> attend(std::size_t seq_len) {
    log_start("",
              {"shape(num_heads, num_kv_heads, block_size, seq_len)",
               "num_heads {0}, num_kv_heads {1}, block_size {2}, seq_len {3}"},
              num_heads, layout.num_kv_heads, layout.block_size, seq_len);
    std::vector<double> keys(values.size(), 1), out(num_heads, -7);
    std::vector<BlockId> table(70'000);
    std::iota(table.begin(), table.end(), 0);
    log_step({Way::kCall, "attend to {0} tokens"}, seq_len, table);
    Way::template attend<double>(out, std::vector<double>(num_heads, 1), {layout, keys, values},
                                 table, seq_len, 1);
    log_returned();
    return out;
  }
};

// Two tokens. Only the last dimension of the second key is not 0, so the weights are 1/4 and 3/4;
// dimension d of the values is 0 and 4 d.
template <class Way>
void expect_many_dimensions(std::size_t head_dim) {
  std::vector<double> keys(2 * head_dim), values(2 * head_dim), expected(head_dim);
  keys.back() = std::log(3.0);
  for (std::size_t d = 0; d < head_dim; ++d) {
    values[head_dim + d] = 4 * static_cast<double>(d);
    expected[d] = 3 * static_cast<double>(d);
  }
  std::vector<double> out(head_dim, -7);
  log_start("", {"shape(head_dim)", "head_dim {0}, two tokens"}, head_dim);
  Way::template attend<double>(out, std::vector<double>(head_dim, 1),
                               {{1, 2, 1, head_dim}, keys, values}, std::vector<BlockId>{0}, 2, 1);
  log_returned();
  expect_near(out, expected, kDoubleTolerance, head_dim);
}

TYPED_TEST(EntryPoint, TakesMoreThan16Bits) {
  SPEC("70,000 heads, dimensions, tokens, slots in a block or entries in a table",
       TypeParam::kStep);
  allow_steps(60'000'000);
  constexpr std::size_t kMany = 70'000, kNumZeros = 66'000;
  std::vector<double> values(kMany);
  std::iota(values.begin(), values.end(), 0);
  ManyOfThem heads{kMany, {1, 1, kMany, 1}, values};
  EXPECT_SAME(heads.attend<TypeParam>(1), values) << "query head h reads KV head h";
  std::fill_n(values.begin(), kNumZeros, 0);
  std::fill(values.begin() + kNumZeros, values.end(), 1);
  constexpr double kMean = double{kMany - kNumZeros} / kMany;
  ManyOfThem tokens{1, {kMany / 16, 16, 1, 1}, values}, slots{1, {1, kMany, 1, 1}, values};
  expect_near(tokens.attend<TypeParam>(kMany), {kMean}, kDoubleTolerance, 1);
  expect_near(slots.attend<TypeParam>(kMany), {kMean}, kDoubleTolerance, 1);
  expect_many_dimensions<TypeParam>(kMany);
}

template <class Real, class Test>
void expect_reads_its_tokens(Test& test) {
  LockedSlots<Real> memory;
  const std::vector<SlotId> slots = {20, 21, 22, 23, 8, 9, 10, 11, 24};
  for (const std::size_t seq_len : {1u, 4u, 6u, 8u}) {
    const auto end = slots.begin() + static_cast<std::ptrdiff_t>(seq_len);
    memory.expect_reads_only({slots.begin(), end}, [&] {
      test.template attend_with_ones<Real>(memory.view(), {5, 2, 6}, seq_len);
    });
  }
}

TYPED_TEST(EntryPoint, ReadsNoOtherSlot) {
  SPEC("I11: a slot of no token is not read, also if the result does not depend on it",
       TypeParam::kStep);
  log_start("",
            {"shape(block_size)",
             "blocks of {0} slots, each of them locked if its token is not attended to"},
            4);
  expect_reads_its_tokens<double>(*this);
  expect_reads_its_tokens<float>(*this);
}

// Keys are 0, so the result is the mean of the values: 16 to 31, and 0 to 3.
template <class Real, class Test>
void expect_far_tokens(Test& test) {
  FarCache<Real> memory;
  for (std::size_t i = 0; i < 32; ++i) memory.values.real()[i] = static_cast<Real>(i);
  const BlockId last = FarCache<Real>::kLastBlock;
  const auto out = test.template attend_with_ones<Real>(memory.cache(), {last, last - 1}, 20);
  expect_near(out, {19.1, 19.1}, tolerance_of<Real>(20), 1);
}

TYPED_TEST(EntryPoint, SlotsNeed64Bits) {
  SPEC("slots beyond 2^32 are read where they are", TypeParam::kStep);
  expect_far_tokens<double>(*this);
  expect_far_tokens<float>(*this);
}

// A cache of 2 blocks of 4 slots, one head, 2 dimensions: 16 numbers in each tensor.
template <class Real, class Test>
void expect_refuses_contradictions(Test& test) {
  std::vector<Real> keys(17, 1), values(17, 1);
  const auto attend = [&](std::size_t num_keys, std::size_t num_values, std::size_t num_blocks,
                          std::size_t seq_len, std::size_t num_more = 0) {
    const KVCache<Real> cache = {{num_blocks, 4, 1, 2},
                                 std::span(keys).first(num_keys),
                                 std::span(values).first(num_values)};
    test.template attend_with_ones<Real>(cache, {1, 0}, seq_len, num_more);
  };
  attend(16, 16, 2, 8);
  attend(16, 16, 2, 0);
  EXPECT_REFUSED(attend(15, 16, 2, 8)) << "the last key is too short";
  EXPECT_REFUSED(attend(8, 16, 2, 2)) << "no keys of block 1";
  EXPECT_REFUSED(attend(16, 15, 2, 8)) << "the last value is too short";
  EXPECT_REFUSED(attend(15, 16, 2, 0)) << "a key too few, and no tokens";
  EXPECT_REFUSED(attend(17, 17, 2, 8)) << "tensors longer than the layout";
  EXPECT_REFUSED(attend(16, 16, (std::size_t{1} << 61) + 2, 8))
      << "as many blocks as make a product of 2^64 + 16";
  EXPECT_REFUSED(attend(16, 16, 2, 8, 1)) << "query and out of half a head more";
  for (const std::size_t less : {0u, 1u, 2u, 3u}) {
    EXPECT_REFUSED(attend(16, 16, 2, std::numeric_limits<std::size_t>::max() - less))
        << "2^64 - " << less + 1 << " tokens";
  }
}

// A cache of 2 blocks of 4 slots. Some of these tables are right for the first tokens.
template <class Real, class Test>
void expect_refuses_tables(Test& test) {
  std::vector<Real> keys(8, 1), values(8, 1);
  const auto attend = [&](const std::vector<BlockId>& table) {
    test.template attend_with_ones<Real>(KVCache<Real>{{2, 4, 1, 1}, keys, values}, table, 5);
  };
  attend({1, 0});
  EXPECT_REFUSED(attend({1})) << "5 tokens need two blocks of 4";
  EXPECT_REFUSED(attend({1, 2})) << "the second block is not in the cache";
  EXPECT_REFUSED(attend({1, -1})) << "the second block has the id of none";
  EXPECT_REFUSED(attend({2, 0})) << "the first block is not in the cache";
  EXPECT_REFUSED(attend({-1, 0})) << "the first block has the id of none";
}

TYPED_TEST(EntryPoint, RefusesContradictingSizes) {
  SPEC("sizes that contradict each other, lengths near 2^64 and ids of no block are refused",
       TypeParam::kStep);
  expect_refuses_contradictions<double>(*this);
  expect_refuses_contradictions<float>(*this);
  expect_refuses_tables<double>(*this);
  expect_refuses_tables<float>(*this);
}

}  // namespace
}  // namespace kv::grader::entry_point

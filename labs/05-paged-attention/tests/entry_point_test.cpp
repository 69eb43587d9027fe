// What every way into attention promises, in float and in double.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "05-paged-attention/tests/entry_points.h"
#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/locked_pages.h"
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

TYPED_TEST(EntryPoint, PlacementNeverShows) {
  SPEC("I11: where the blocks are never shows in the result, not in the last bit",
       TypeParam::kStep);
  expect_equal_placements<double>(*this);
  expect_equal_placements<float>(*this);
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
    fixture.negate_scale();
  }
}

TYPED_TEST(EntryPoint, LargeLogitsStayFinite) {
  SPEC("logits of 10,000 and -10,000 give a mean of the values", TypeParam::kStep);
  expect_finite<double>(*this);
  expect_finite<float>(*this);
}

// A score is a sum of head_dim terms and the result one of seq_len, with weights that sum to 1.
TYPED_TEST(EntryPoint, EachTypeErrsAsItsSumsDo) {
  SPEC("in float and in double the error is that of its sums", TypeParam::kStep);
  for (const std::size_t seq_len : {5u, 100u, 1000u}) {
    const PagedFixture fixture({2, 1, 60, 16, seq_len});
    this->template expect_dense<float>(fixture, tolerance_of<float>(60 + seq_len));
    this->template expect_dense<double>(fixture, tolerance_of<double>(60 + seq_len));
  }
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
    Way::template kAttend<double>(out, std::vector<double>(num_heads, 1), {layout, keys, values},
                                  table, seq_len, 1);
    log_returned();
    return out;
  }
};

TYPED_TEST(EntryPoint, TakesMoreThan16Bits) {
  SPEC("70,000 heads, tokens, slots in a block or entries in a table", TypeParam::kStep);
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

TYPED_TEST(EntryPoint, RefusesContradictingSizes) {
  SPEC("tensors of another size than their layout, and lengths near 2^64, are refused",
       TypeParam::kStep);
  expect_refuses_contradictions<double>(*this);
  expect_refuses_contradictions<float>(*this);
}

}  // namespace
}  // namespace kv::grader::entry_point

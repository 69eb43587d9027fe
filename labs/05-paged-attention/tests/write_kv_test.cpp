// From slots to addresses: what is written, and what stays unchanged.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "05-paged-attention/paged_attention.h"
#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/poison.h"
#include "grader/harness/expectations.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

constexpr double kUntouched = -7;

// 3 blocks of 2 slots, 2 KV heads of 2 dimensions: 24 numbers in each tensor.
template <class Real>
struct SmallCache {
  SmallCache() {
    log_start("",
              {"cache(num_blocks, block_size, num_kv_heads, head_dim)",
               "{0} blocks of {1} slots, {2} KV heads of {3} dimensions"},
              3, 2, 2, 2);
  }

  void write(const std::vector<Real>& k,
             const std::vector<Real>& v,
             const std::vector<SlotId>& slot_mapping) {
    log_step({"write_kv(num_tokens, slot_mapping)", "write_kv of {0} tokens, slot_mapping {1}"},
             slot_mapping.size(), slot_mapping);
    write_kv<Real>(k, v, slot_mapping, {{3, 2, 2, 2}, keys, values});
    log_returned();
  }

  // `numbers` are in a tensor from `first` on, and nothing else has been written.
  static void expect_only(const std::vector<Real>& tensor,
                          std::size_t first,
                          const std::vector<Real>& numbers) {
    std::vector<Real> expected(24, Real(kUntouched));
    std::ranges::copy(numbers, expected.begin() + std::ptrdiff_t(first));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (tensor[i] == expected[i]) continue;
      ADD_FAILURE() << "index " << i << " (slot " << i / 4 << ", KV head " << i / 2 % 2
                    << ", dimension " << i % 2 << "): expected " << expected[i] << ", found "
                    << tensor[i] << " (" << kUntouched << ": untouched)";
      return;
    }
  }

  void expect_untouched() const {
    expect_only(keys, 0, {});
    expect_only(values, 0, {});
  }

  std::vector<Real> keys = std::vector<Real>(24, Real(kUntouched));
  std::vector<Real> values = keys;
};

template <class Real>
void expect_in_its_slot() {
  SmallCache<Real> cache;
  // 1.1 is another number in float.
  const std::vector<Real> k = {Real(1.1), Real(2.1), Real(3.1), Real(4.1)};
  const std::vector<Real> v = {Real(5.1), Real(6.1), Real(7.1), Real(8.1)};
  cache.write(k, v, {3});
  cache.expect_only(cache.keys, 12, k);
  cache.expect_only(cache.values, 12, v);
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  cache.write({0, 2, 0, -kInfinity}, {kInfinity, 0, 7, 0}, {3});
  cache.expect_only(cache.keys, 12, {0, 2, 0, -kInfinity});
  cache.expect_only(cache.values, 12, {kInfinity, 0, 7, 0});
}

TEST(WriteKv, PutsATokenIntoItsSlot) {
  SPEC("key and value of a token are in its slot, each in its own tensor", "5.2 write_kv",
       "into slot_mapping[i]");
  expect_in_its_slot<double>();
  expect_in_its_slot<float>();
}

template <class Real>
void expect_follows_the_mapping() {
  SmallCache<Real> cache;
  const std::vector<Real> rows = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const std::vector<Real> expected = {5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4};
  cache.write(rows, rows, {5, 3, 4});
  cache.expect_only(cache.keys, 12, expected);
  cache.expect_only(cache.values, 12, expected);
}

TEST(WriteKv, FollowsTheMapping) {
  SPEC("token i goes to slot_mapping[i], in any order", "5.2 write_kv");
  expect_follows_the_mapping<double>();
  expect_follows_the_mapping<float>();
}

// One head of one dimension: token i has key i and value -i, and the slots are in reverse order.
void expect_many_tokens(std::size_t num_tokens) {
  std::vector<float> k(num_tokens), v(num_tokens), keys(num_tokens), values(num_tokens);
  std::vector<SlotId> slots(num_tokens);
  std::iota(slots.rbegin(), slots.rend(), SlotId{0});
  for (std::size_t i = 0; i < num_tokens; ++i) {
    k[i] = static_cast<float>(i);
    v[i] = -k[i];
  }
  log_step({"write_kv(num_tokens, slot_mapping)", "write_kv of {0} tokens, slot_mapping {1}"},
           num_tokens, slots);
  write_kv<float>(k, v, slots, {{num_tokens, 1, 1, 1}, keys, values});
  log_returned();
  EXPECT_SAME(keys, std::vector<float>(k.rbegin(), k.rend())) << "keys, in reverse order";
  EXPECT_SAME(values, std::vector<float>(v.rbegin(), v.rend())) << "values, in reverse order";
}

// One token of one block with that many heads and dimensions.
void expect_large_token(std::size_t num_kv_heads, std::size_t head_dim) {
  std::vector<float> k(num_kv_heads * head_dim), keys(2 * k.size()), values(2 * k.size());
  std::iota(k.begin(), k.end(), 1.0f);
  log_step({"write_kv(num_kv_heads, head_dim)", "write_kv of {0} KV heads, head_dim {1}"},
           num_kv_heads, head_dim);
  write_kv<float>(k, k, std::vector<SlotId>{1}, {{1, 2, num_kv_heads, head_dim}, keys, values});
  log_returned();
  const auto last = keys.end() - std::ssize(k), last_value = values.end() - std::ssize(k);
  EXPECT_SAME(std::vector<float>(last, keys.end()), k) << "the key in slot 1";
  EXPECT_SAME(std::vector<float>(last_value, values.end()), k) << "the value in slot 1";
}

TEST(WriteKv, TakesMoreThan16Bits) {
  SPEC("70,000 tokens, heads or dimensions", "5.2 write_kv");
  expect_many_tokens(70'000);
  expect_large_token(70'000, 1);
  expect_large_token(1, 70'000);
}

// -1 and 0 follow each other, but the padding is not the slot before slot 0.
template <class Real>
void expect_padding_before_slot_0() {
  SmallCache<Real> cache;
  cache.write({9, 9, 9, 9, 1, 2, 3, 4}, {9, 9, 9, 9, 5, 6, 7, 8}, {-1, 0});
  cache.expect_only(cache.keys, 0, {1, 2, 3, 4});
  cache.expect_only(cache.values, 0, {5, 6, 7, 8});
}

template <class Real>
void expect_skips_padding() {
  SmallCache<Real> cache;
  cache.write({9, 9, 9, 9, 1, 2, 3, 4, 9, 9, 9, 9}, {9, 9, 9, 9, 5, 6, 7, 8, 9, 9, 9, 9},
              {-1, 2, -1});
  cache.expect_only(cache.keys, 8, {1, 2, 3, 4});
  cache.expect_only(cache.values, 8, {5, 6, 7, 8});
  cache.write({9, 9, 9, 9, 9, 9, 9, 9, 4, 3, 2, 1}, {9, 9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 5},
              {-1, -1, 2});
  cache.expect_only(cache.keys, 8, {4, 3, 2, 1});
  cache.expect_only(cache.values, 8, {8, 7, 6, 5});
}

TEST(WriteKv, SkipsPadding) {
  SPEC("kPadSlotId is skipped", "5.2 write_kv", "is skipped");
  expect_skips_padding<double>();
  expect_skips_padding<float>();
  expect_padding_before_slot_0<double>();
  expect_padding_before_slot_0<float>();
}

template <class Real>
void expect_refuses_slots() {
  SmallCache<Real> cache;
  cache.write({}, {}, {});
  const std::vector<Real> two_tokens(8, 1);
  const auto write = [&](const std::vector<SlotId>& slots) {
    cache.write(two_tokens, two_tokens, slots);
  };
  EXPECT_REFUSED(write({0, 6})) << "there are 6 slots";
  EXPECT_REFUSED(write({6, 0})) << "the first of two";
  EXPECT_REFUSED(write({0, -2})) << "-2 is no padding";
  for (const SlotId far :
       {SlotId{1} << 32, std::numeric_limits<SlotId>::max(), std::numeric_limits<SlotId>::min()}) {
    EXPECT_REFUSED(write({0, far})) << far;
  }
  cache.expect_untouched();
}

TEST(WriteKv, RefusesASlotOutsideBeforeItWrites) {
  SPEC("a slot outside the cache is refused before anything is written", "5.2 write_kv",
       "before anything is written");
  expect_refuses_slots<double>();
  expect_refuses_slots<float>();
}

template <class Real>
void expect_refuses_rows() {
  SmallCache<Real> cache;
  const std::vector<Real> token(4, 1);
  cache.write(token, token, {-1});
  EXPECT_REFUSED(cache.write(token, token, {0, 1})) << "one token, two slots";
  EXPECT_REFUSED(cache.write(token, {1, 2}, {0})) << "half a value";
  EXPECT_REFUSED(cache.write({1, 2}, token, {0})) << "half a key";
  cache.expect_untouched();
}

TEST(WriteKv, RefusesContradictingSizes) {
  SPEC("one key and one value for each slot, or the call is refused", "5.2 write_kv");
  expect_refuses_rows<double>();
  expect_refuses_rows<float>();
}

// A cache of 2 blocks of 2 slots, one head, 2 dimensions: 8 numbers in each tensor.
template <class Real>
void expect_refuses_other_sizes() {
  std::vector<Real> keys(9, kUntouched), values(9, kUntouched);
  const auto write = [&](std::size_t num_keys, std::size_t num_values, const PagedLayout& layout,
                         SlotId slot) {
    log_step({"write_kv(num_blocks, slot_mapping)", "write_kv: {0} blocks of 2 slots, slot {1}"},
             layout.num_blocks, slot);
    const std::vector<Real> token(2, 1);
    write_kv<Real>(token, token, std::vector{slot},
                   {layout, std::span(keys).first(num_keys), std::span(values).first(num_values)});
    log_returned();
  };
  write(8, 8, {2, 2, 1, 2}, kPadSlotId);
  EXPECT_REFUSED(write(6, 8, {2, 2, 1, 2}, 3)) << "no key in slot 3";
  EXPECT_REFUSED(write(8, 6, {2, 2, 1, 2}, 3)) << "no value in slot 3";
  EXPECT_REFUSED(write(6, 6, {2, 2, 1, 2}, 0)) << "too short, after slot 0";
  EXPECT_REFUSED(write(9, 9, {2, 2, 1, 2}, 0)) << "longer than the layout";
  constexpr std::size_t kMany = std::size_t{1} << 62;
  EXPECT_REFUSED(write(8, 8, {kMany + 2, 2, 1, 2}, 5)) << "a product of 2^64 + 8";
  EXPECT_SAME(std::ranges::count(keys, Real(kUntouched)), 9)
      << "keys that the refused calls have not written";
  EXPECT_SAME(std::ranges::count(values, Real(kUntouched)), 9)
      << "values that the refused calls have not written";
}

TEST(WriteKv, RefusesACacheOfAnotherSize) {
  SPEC("a tensor of another size than the layout is refused, and nothing is written",
       "5.2 write_kv");
  expect_refuses_other_sizes<double>();
  expect_refuses_other_sizes<float>();
}

TEST(WriteKv, SlotsNeed64Bits) {
  SPEC("a slot beyond 2^32 is written where it is", "5.2 write_kv");
  FarCache<float> memory;
  const SlotId last = SlotId{FarCache<float>::kLastBlock} * 16 + 15;
  log_step({"write_kv(slot_mapping)", "write_kv into slots {0}"}, std::vector{last - 31, last});
  const std::vector<float> k = {1, 2}, v = {3, 4};
  write_kv<float>(k, v, std::vector{last - 31, last}, memory.cache());
  log_returned();
  EXPECT_SAME(memory.keys.real().front(), 1) << "the key of the first slot";
  EXPECT_SAME(memory.keys.real().back(), 2) << "the key of the second slot";
  EXPECT_SAME(memory.values.real().front(), 3) << "the value of the first slot";
  EXPECT_SAME(memory.values.real().back(), 4) << "the value of the second slot";
}

// The key and the value of one token, in a cache of zeros: every bit is copied.
template <class Real>
void expect_every_bit() {
  using Limits = std::numeric_limits<Real>;
  std::vector<Real> numbers = {
      -Real{0},         Limits::denorm_min(),   Limits::min(),        Limits::max(),
      Limits::lowest(), NaNBits<Real>::with(5), 1 + Limits::epsilon()};
  std::vector<Real> keys(2 * numbers.size()), values(keys);
  log_step({"write_kv(slot_mapping)", "write_kv of -0, very small and very large numbers and NaN"},
           std::vector{1});
  write_kv<Real>(numbers, numbers, std::vector<SlotId>{1},
                 {{1, 2, 1, numbers.size()}, keys, values});
  log_returned();
  const auto expect_bits = [&](const char* what, const std::vector<Real>& tensor) {
    for (std::size_t d = 0; d < numbers.size(); ++d) {
      using Bits = typename NaNBits<Real>::Bits;
      const Real yours = tensor[numbers.size() + d];
      EXPECT_HOLDS(std::bit_cast<Bits>(yours) == std::bit_cast<Bits>(numbers[d]))
          << "a " << what << " of " << draw(numbers[d]) << " is " << draw(yours) << " in its slot";
    }
  };
  expect_bits("key", keys);
  expect_bits("value", values);
}

TEST(WriteKv, WritesFloatsToo) {
  SPEC("every number is copied as it is, in float and in double", "5.2 write_kv");
  expect_every_bit<double>();
  expect_every_bit<float>();
}

}  // namespace
}  // namespace kv::grader

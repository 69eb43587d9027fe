// From slots to addresses: what is written, and what stays unchanged.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "05-paged-attention/paged_attention.h"
#include "05-paged-attention/tests/far_memory.h"
#include "grader/harness/expectations.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

constexpr double kUntouched = -7;

// 3 blocks of 2 slots, 2 KV heads of 2 dimensions: 24 numbers in each tensor.
class WriteKv : public testing::Test {
 public:
  void write(const std::vector<double>& k,
             const std::vector<double>& v,
             const std::vector<SlotId>& slot_mapping) {
    log_step({"write_kv(num_tokens, slot_mapping)", "write_kv of {0} tokens, slot_mapping {1}"},
             slot_mapping.size(), slot_mapping);
    write_kv<double>(k, v, slot_mapping, {{3, 2, 2, 2}, keys, values});
    log_returned();
  }

  // `numbers` are in a tensor from `first` on, and nothing else has been written.
  static void expect_only(const std::vector<double>& tensor,
                          std::size_t first,
                          const std::vector<double>& numbers) {
    std::vector<double> expected(24, kUntouched);
    std::ranges::copy(numbers, expected.begin() + std::ptrdiff_t(first));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (tensor[i] == expected[i]) continue;
      ADD_FAILURE() << "index " << i << " (slot " << i / 4 << ", KV head " << i / 2 % 2
                    << ", dimension " << i % 2 << "): expected " << expected[i] << ", found "
                    << tensor[i] << " (" << kUntouched << ": untouched)";
      return;
    }
  }

  std::vector<double> keys = std::vector<double>(24, kUntouched);
  std::vector<double> values = std::vector<double>(24, kUntouched);
};

TEST_F(WriteKv, PutsATokenIntoItsSlot) {
  SPEC("key and value of a token are in its slot, each in its own tensor", "5.2 write_kv",
       "into slot_mapping[i]");
  write({1.1, 2.1, 3.1, 4.1}, {5.1, 6.1, 7.1, 8.1}, {3});  // 1.1 is another number in float
  expect_only(keys, 12, {1.1, 2.1, 3.1, 4.1});
  expect_only(values, 12, {5.1, 6.1, 7.1, 8.1});
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  write({0, 2, 0, -kInfinity}, {kInfinity, 0, 7, 0}, {3});
  expect_only(keys, 12, {0, 2, 0, -kInfinity});
  expect_only(values, 12, {kInfinity, 0, 7, 0});
}

TEST_F(WriteKv, FollowsTheMapping) {
  SPEC("token i goes to slot_mapping[i], in any order", "5.2 write_kv");
  write({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
        {5, 3, 4});
  expect_only(keys, 12, {5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4});
  expect_only(values, 12, {5, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4});
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

TEST_F(WriteKv, TakesMoreThan16Bits) {
  SPEC("70,000 tokens, heads or dimensions", "5.2 write_kv");
  expect_many_tokens(70'000);
  expect_large_token(70'000, 1);
  expect_large_token(1, 70'000);
}

TEST_F(WriteKv, SkipsPadding) {
  SPEC("kPadSlotId is skipped", "5.2 write_kv", "is skipped");
  write({9, 9, 9, 9, 1, 2, 3, 4, 9, 9, 9, 9}, {9, 9, 9, 9, 5, 6, 7, 8, 9, 9, 9, 9}, {-1, 2, -1});
  expect_only(keys, 8, {1, 2, 3, 4});
  expect_only(values, 8, {5, 6, 7, 8});
  write({9, 9, 9, 9, 9, 9, 9, 9, 4, 3, 2, 1}, {9, 9, 9, 9, 9, 9, 9, 9, 8, 7, 6, 5}, {-1, -1, 2});
  expect_only(keys, 8, {4, 3, 2, 1});
  expect_only(values, 8, {8, 7, 6, 5});
}

TEST_F(WriteKv, RefusesASlotOutsideBeforeItWrites) {
  SPEC("a slot outside the cache is refused before anything is written", "5.2 write_kv",
       "before anything is written");
  write({}, {}, {});
  const std::vector<double> two_tokens(8, 1);
  EXPECT_REFUSED(write(two_tokens, two_tokens, {0, 6})) << "there are 6 slots";
  EXPECT_REFUSED(write(two_tokens, two_tokens, {6, 0})) << "the first of two";
  EXPECT_REFUSED(write(two_tokens, two_tokens, {0, -2})) << "-2 is no padding";
  for (const SlotId far :
       {SlotId{1} << 32, std::numeric_limits<SlotId>::max(), std::numeric_limits<SlotId>::min()}) {
    EXPECT_REFUSED(write(two_tokens, two_tokens, {0, far})) << far;
  }
  expect_only(keys, 0, {});
  expect_only(values, 0, {});
}

TEST_F(WriteKv, RefusesContradictingSizes) {
  SPEC("one key and one value for each slot, or the call is refused", "5.2 write_kv");
  const std::vector<double> token(4, 1);
  write(token, token, {-1});
  EXPECT_REFUSED(write(token, token, {0, 1})) << "one token, two slots";
  EXPECT_REFUSED(write(token, {1, 2}, {0})) << "half a value";
  EXPECT_REFUSED(write({1, 2}, token, {0})) << "half a key";
  expect_only(keys, 0, {});
}

// A cache of 2 blocks of 2 slots, one head, 2 dimensions: 8 numbers in each tensor.
template <class Real>
void expect_refuses_other_sizes() {
  std::vector<Real> keys(9, kUntouched), values(9, kUntouched);
  const auto write = [&](std::size_t num_keys, std::size_t num_values, const PagedLayout& layout,
                         SlotId slot) {
    log_step({"write_kv(num_blocks, slot_mapping)", "write_kv: {0} blocks, slot {1}"},
             layout.num_blocks, slot);
    const std::vector<Real> token(2, 1);
    write_kv<Real>(token, token, std::vector{slot},
                   {layout, std::span(keys).first(num_keys), std::span(values).first(num_values)});
    log_returned();
  };
  write(8, 8, {2, 2, 1, 2}, kPadSlotId);
  EXPECT_REFUSED(write(6, 8, {2, 2, 1, 2}, 3)) << "no key in slot 3";
  EXPECT_REFUSED(write(8, 6, {2, 2, 1, 2}, 3)) << "no value in slot 3";
  EXPECT_REFUSED(write(6, 6, {2, 2, 1, 2}, 0)) << "too short, behind slot 0";
  EXPECT_REFUSED(write(9, 9, {2, 2, 1, 2}, 0)) << "longer than the layout";
  constexpr std::size_t kMany = std::size_t{1} << 62;
  EXPECT_REFUSED(write(8, 8, {kMany + 2, 2, 1, 2}, 5)) << "a product of 2^64 + 8";
  EXPECT_SAME(std::ranges::count(keys, Real(kUntouched)), 9)
      << "keys that the refused calls have not written";
  EXPECT_SAME(std::ranges::count(values, Real(kUntouched)), 9)
      << "values that the refused calls have not written";
}

TEST_F(WriteKv, RefusesACacheOfAnotherSize) {
  SPEC("a tensor of another size than the layout is refused, and nothing is written",
       "5.2 write_kv");
  expect_refuses_other_sizes<double>();
  expect_refuses_other_sizes<float>();
}

TEST_F(WriteKv, SlotsNeed64Bits) {
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

TEST_F(WriteKv, WritesFloatsToo) {
  SPEC("float and double are written alike", "5.2 write_kv");
  std::vector<float> float_keys(4), float_values(4);
  const std::vector<float> k = {1, 2}, v = {3, 4};
  log_step({"write_kv(slot_mapping)", "write_kv<float> of 1 token into slot 1"}, std::vector{1});
  write_kv<float>(k, v, std::vector<SlotId>{1}, {{1, 2, 1, 2}, float_keys, float_values});
  log_result_as("[{0}] and [{1}]", float_keys, float_values);
  EXPECT_SAME(float_keys, (std::vector<float>{0, 0, 1, 2})) << "keys";
  EXPECT_SAME(float_values, (std::vector<float>{0, 0, 3, 4})) << "values";
}

}  // namespace
}  // namespace kv::grader

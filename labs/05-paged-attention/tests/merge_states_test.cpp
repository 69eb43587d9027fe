// The state of a head after some tokens, and how two such states are merged.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/locked_pages.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

AttentionState<double> state_of(double max, double sum, const std::vector<double>& out) {
  AttentionState<double> state(out.size());
  state.max = max;
  state.sum = sum;
  state.out = out;
  return state;
}

std::string draw_state(const AttentionState<double>& state) {
  return "max " + draw(state.max) + ", sum " + draw(state.sum) + ", out " + draw(state.out);
}

void log_attention_state(const AttentionState<double>& state) {
  log_state("max", state.max);
  log_state("sum", state.sum);
  log_state("out", state.out);
}

void expect_state(const AttentionState<double>& actual, const AttentionState<double>& expected) {
  std::vector<double> numbers = {actual.max, actual.sum}, wanted = {expected.max, expected.sum};
  numbers.insert(numbers.end(), actual.out.begin(), actual.out.end());
  wanted.insert(wanted.end(), expected.out.begin(), expected.out.end());
  if (first_difference<double>(numbers, wanted, kDoubleTolerance) == wanted.size()) return;
  std::string reason;
  for (const double number : numbers) {
    if (reason.empty()) reason = draw_reason_of_nan(number);
  }
  ADD_FAILURE() << "expected " << draw_state(expected) << "\n   yours is " << draw_state(actual)
                << reason;
}

AttentionState<double> merged(AttentionState<double> state, const AttentionState<double>& more) {
  log_step({"merge_attn_states(max, sum, out, more_max, more_sum, more_out)",
            "merge_attn_states(max {0}, sum {1}, out {2}; max {3}, sum {4}, out {5})"},
           state.max, state.sum, state.out, more.max, more.sum, more.out);
  merge_attn_states(state, more);
  log_attention_state(state);
  return state;
}

// Block 1 of 2, with 2 slots, one head, two dimensions.
AttentionState<double> attend_to(std::size_t num_tokens, double poison) {
  std::vector<double> keys(8, poison), values(8, poison);
  if (std::isnan(poison)) {
    poison_slots<double>(keys, 2);
    poison_slots<double>(values, 2);
  }
  constexpr std::array kKeys = {1.0, 1.0, 3.0, 0.0}, kValues = {10.0, 20.0, 30.0, 40.0};
  std::copy_n(kKeys.begin(), 2 * num_tokens, keys.begin() + 4);
  std::copy_n(kValues.begin(), 2 * num_tokens, values.begin() + 4);
  const std::vector<double> query = {2, 1};
  log_step({"attend_block(num_tokens)",
            "attend_block: query [2 1], keys [1 1] [3 0], scale 0.5, num_tokens {0}"},
           num_tokens);
  const auto state =
      attend_block<double>(query, {{2, 2, 1, 2}, keys, values}, 1, 0, num_tokens, 0.5);
  log_attention_state(state);
  return state;
}

TEST(AttendBlock, KnowsMaximumSumAndValues) {
  SPEC("max of the scores, sum of exp(score - max), and the values weighted by it",
       "5.7 attend_block");
  const double small = std::exp(-1.5);  // scores 1.5 and 3
  expect_state(attend_to(2, 0), state_of(3, 1 + small, {30 + 10 * small, 40 + 20 * small}));
}

TEST(AttendBlock, TheMaximumMayBeNegative) {
  SPEC("max is the largest score, also if every score is negative", "5.7 attend_block");
  std::vector<double> keys = {4, 3}, values = {10, 20};
  log_step("attend_block: query -2, keys 4 and 3, scale 0.5");
  const auto state =
      attend_block<double>(std::vector<double>{-2}, {{1, 2, 1, 1}, keys, values}, 0, 0, 2, 0.5);
  log_attention_state(state);
  const double small = std::exp(-1.0);  // scores -4 and -3
  expect_state(state, state_of(-3, 1 + small, {20 + 10 * small}));
}

TEST(AttendBlock, ReadsNoFurtherThanItsTokens) {
  SPEC("I11: slots behind num_tokens are not read", "5.7 attend_block");
  for (const double poison : kPoisons<double>) {
    expect_state(attend_to(1, poison), state_of(1.5, 1, {10, 20}));
  }
}

TEST(AttendBlock, NothingReadNothingKnown) {
  SPEC("no tokens: the state of a head that has read nothing", "5.7 attend_block");
  const auto state = attend_to(0, kPoisons<double>[0]);
  EXPECT_SAME(state.sum, 0) << "the sum over no tokens";
  EXPECT_SAME(state.out, (std::vector<double>{0, 0})) << "out of no tokens";
  EXPECT_HOLDS(std::isinf(state.max) && state.max < 0)
      << "expected max to be -infinity, yours is " << draw(state.max);
}

// In a cache of two blocks of two slots, with one KV head of two dimensions.
struct TwoBlocks {
  void attend(BlockId block_id,
              std::size_t kv_head,
              std::size_t num_tokens,
              const std::vector<double>& query) {
    log_step({"attend_block(block_id, kv_head, num_tokens)",
              "attend_block: block {0} of 2, KV head {1} of 1, {2} slots of 2"},
             block_id, kv_head, num_tokens);
    attend_block<double>(query, {{2, 2, 1, 2}, keys, values}, block_id, kv_head, num_tokens, 1);
    log_returned();
  }

  std::vector<double> keys = std::vector<double>(8, 1), values = keys;
};

TEST(AttendBlock, RefusesWhatIsNotThere) {
  SPEC("a block, a KV head or a slot that is not in the cache is refused", "5.7 attend_block");
  TwoBlocks blocks;
  blocks.attend(1, 0, 2, {1, 2});
  EXPECT_REFUSED(blocks.attend(2, 0, 1, {1, 2})) << "there are 2 blocks";
  EXPECT_REFUSED(blocks.attend(0, 1, 1, {1, 2})) << "there is one KV head";
  EXPECT_REFUSED(blocks.attend(0, 0, 3, {1, 2})) << "a block has 2 slots";
  EXPECT_REFUSED(blocks.attend(0, 0, 1, {1, 2, 3})) << "head_dim is 2";
  EXPECT_REFUSED(blocks.attend(0, 0, 1, std::vector<double>(2 + (1 << 16)))) << "too long";
  for (const std::size_t less : {0u, 1u}) {
    EXPECT_REFUSED(blocks.attend(0, 0, std::numeric_limits<std::size_t>::max() - less, {1, 2}))
        << "2^64 - " << less + 1 << " slots";
  }
  constexpr std::size_t kMany = std::size_t{1} << 62;
  EXPECT_REFUSED(attend_block<double>({}, {{0, 2, 1, kMany}, {}, {}}, 0, 0, 0, 1))
      << "no blocks, of 2^62 dimensions";
  blocks.keys.pop_back();
  EXPECT_REFUSED(blocks.attend(0, 0, 1, {1, 2})) << "a key too few";
  blocks.keys.push_back(1);
  blocks.values.push_back(1);
  EXPECT_REFUSED(blocks.attend(0, 0, 1, {1, 2})) << "a value too many";
}

template <class Real>
void expect_block_of_large_scores() {
  PagedFixture fixture({1, 2, 8, 16, 16});
  for (double& number : fixture.sequence().keys) number *= 100;
  std::vector<BlockId> table;
  PoisonedCache<Real> cache = fixture.place<Real>(table, kPoisons<Real>[0]);
  for (const std::size_t kv_head : {0u, 1u}) {
    // In double, one head of the sequence, and its query.
    std::vector<double> head_keys, head_values;
    for (std::size_t i = 0; i < 16 * 8; ++i) {
      const std::size_t from = (i / 8 * 2 + kv_head) * 8 + i % 8;
      head_keys.push_back(fixture.sequence().keys[from]);
      head_values.push_back(fixture.sequence().values[from]);
    }
    log_step({"attend_block(kv_head)", "attend_block: KV head {0}, keys within 100"}, kv_head);
    const auto state =
        attend_block<Real>(as<Real>(fixture.query()), cache.view(), table[0], kv_head, 16, 1);
    log_returned();
    std::vector<Real> mean = state.out;
    for (Real& number : mean) number /= state.sum;
    expect_near(mean,
                oracle::dense_attention({1, 8, head_keys, head_values}, fixture.query(), 16, 1),
                tolerance_of<Real>(16 * 100), 8);
    EXPECT_HOLDS(state.sum >= 1 && state.sum <= 16)
        << "expected a sum between 1 and 16, yours is " << draw(state.sum);
  }
}

TEST(AttendBlock, LargeScoresStayFinite) {
  SPEC("sums are relative to the maximum, in float and in double", "5.7 attend_block");
  expect_block_of_large_scores<double>();
  expect_block_of_large_scores<float>();
}

template <class Real>
void expect_block_reads_its_tokens() {
  LockedSlots<Real> memory;
  const std::vector<Real> query(memory.head_dim(), 1);
  const std::vector<SlotId> slots = {20, 21, 22, 23};
  for (std::size_t num_tokens = 0; num_tokens <= slots.size(); ++num_tokens) {
    log_step({"attend_block(num_tokens)", "attend_block: block 5 of 4 slots, num_tokens {0}"},
             num_tokens);
    const auto end = slots.begin() + static_cast<std::ptrdiff_t>(num_tokens);
    memory.expect_reads_only({slots.begin(), end}, [&] {
      attend_block<Real>(query, memory.view(), 5, 0, num_tokens, 1);
    });
    log_returned();
  }
  FarCache<Real> far;
  far.values.real()[16] = 3;
  log_step("attend_block: slots beyond 2^32");
  const auto state =
      attend_block<Real>(std::vector<Real>(1), far.cache(), FarCache<Real>::kLastBlock, 0, 1, 1);
  log_returned();
  EXPECT_SAME(state.out[0], 3) << "out of the one token, whose value is 3";
}

TEST(AttendBlock, ReadsNoOtherSlot) {
  SPEC("the slots of the first num_tokens tokens are read, and no others", "5.7 attend_block",
       "first num_tokens slots", "O(num_tokens");
  expect_block_reads_its_tokens<double>();
  expect_block_reads_its_tokens<float>();
}

template <class Real>
void expect_any_difference() {
  for (const double difference : {0.1, 1.0, 5.0, 12.0, 15.0}) {
    for (const bool is_larger : {false, true}) {
      AttentionState<Real> state(1), more(1);
      state.max = static_cast<Real>(is_larger ? difference : -difference);
      state.sum = 2;
      state.out = {4};
      more.max = 0;
      more.sum = 3;
      more.out = {Real(1e6)};
      log_step({"merge_attn_states(max, more_max)", "merge_attn_states: maxima {0} and {1}"},
               state.max, more.max);
      merge_attn_states(state, more);
      log_returned();
      const double max = std::fmax(is_larger ? difference : -difference, 0.0);
      const double keep = std::exp((is_larger ? difference : -difference) - max);
      const double take = std::exp(0 - max);
      expect_near(std::vector<Real>{state.sum, state.out[0]},
                  {keep * 2 + take * 3, keep * 4 + take * 1e6}, tolerance_of<Real>(16), 2);
    }
  }
}

TEST(MergeStates, MaximaOfAnyDifference) {
  SPEC("no state is left out because its maximum is smaller", "5.8 merge_attn_states",
       "only the rounding");
  expect_any_difference<double>();
  expect_any_difference<float>();
}

TEST(MergeStates, BothAreWeighedAgainstTheLargerMaximum) {
  SPEC("sums and values of both, relative to the larger maximum", "5.8 merge_attn_states",
       "the state over its own tokens");
  const double half = std::log(2.0);
  const auto low = state_of(0, 3, {6, 9}), high = state_of(half, 2, {1, 5});
  expect_state(merged(low, high), state_of(half, 3.5, {4, 9.5}));
  expect_state(merged(high, low), state_of(half, 3.5, {4, 9.5}));
}

TEST(MergeStates, NothingReadChangesNothing) {
  SPEC("a state that has read nothing changes nothing", "5.8 merge_attn_states");
  const auto nothing = AttentionState<double>(2), some = state_of(-5, 2, {1, 5});
  expect_state(merged(some, nothing), some);
  expect_state(merged(nothing, some), some);
  const auto none = merged(nothing, nothing);
  EXPECT_SAME(none.sum, 0) << "the sum over no tokens";
  EXPECT_SAME(none.out, (std::vector<double>{0, 0})) << "no tokens and no tokens: no NaN";
}

TEST(MergeStates, TakesMoreThan16Bits) {
  SPEC("head_dim is any number", "5.8 merge_attn_states");
  AttentionState<double> state(70'000), more(70'000);
  state.max = more.max = state.sum = more.sum = 1;
  std::ranges::fill(state.out, 2);
  std::ranges::fill(more.out, 3);
  log_step("merge_attn_states of 70,000 dimensions");
  merge_attn_states(state, more);
  log_returned();
  EXPECT_SAME(state.out, std::vector<double>(70'000, 5)) << "out of values 2 and 3";
}

TEST(MergeStates, RefusesUnequalHeadDims) {
  SPEC("states of two head_dims are refused", "5.8 merge_attn_states");
  const auto narrow = state_of(0, 1, {1});
  EXPECT_REFUSED(merged(narrow, state_of(0, 1, {1, 2}))) << "head_dim 1 and head_dim 2";
  EXPECT_REFUSED(merged(narrow, AttentionState<double>(2))) << "nothing read yet";
  expect_state(merged(narrow, state_of(0, 1, {3})), state_of(0, 2, {4}));
}

TEST(MergeStates, LargeScoresStayFinite) {
  SPEC("states of far apart scores merge to finite numbers", "5.8 merge_attn_states");
  const auto low = state_of(-1e4, 2, {6, 9}), high = state_of(1e4, 1, {1, 5});
  expect_state(merged(low, high), high);
  expect_state(merged(high, low), high);
}

}  // namespace
}  // namespace kv::grader

// The state of a head after the tokens of one block.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "05-paged-attention/tests/far_memory.h"
#include "05-paged-attention/tests/growing_block.h"
#include "05-paged-attention/tests/page_trap.h"
#include "05-paged-attention/tests/paged_attention_costs.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

// Block 1 of 2, with 2 slots, one head, two dimensions.
template <class Real>
AttentionState<Real> attend_to(std::size_t num_tokens, Real poison, Real scale = Real(0.5)) {
  std::vector<Real> keys(8, poison), values(8, poison);
  if (std::isnan(poison)) {
    poison_slots<Real>(keys, 2);
    poison_slots<Real>(values, 2);
  }
  constexpr std::array<Real, 4> kKeys = {1, 1, 3, 0}, kValues = {10, 20, 30, 40};
  std::copy_n(kKeys.begin(), 2 * num_tokens, keys.begin() + 4);
  std::copy_n(kValues.begin(), 2 * num_tokens, values.begin() + 4);
  const std::vector<Real> query = {2, 1};
  log_step({"attend_block(num_tokens)",
            "attend_block: query [2 1], keys [1 1] [3 0], scale {1}, num_tokens {0}"},
           num_tokens, scale);
  const auto state =
      attend_block<Real>(query, {{2, 2, 1, 2}, keys, values}, 1, 0, num_tokens, scale);
  log_attention_state(state);
  return state;
}

template <class Real>
void expect_states_of_scales() {
  const Real small = std::exp(Real(-1.5));  // scores 1.5 and 3, or -1.5 and -3
  expect_state(attend_to<Real>(2, 0),
               state_of<Real>(3, 1 + small, {30 + 10 * small, 40 + 20 * small}));
  expect_state(attend_to<Real>(2, 0, Real(-0.5)),
               state_of<Real>(Real(-1.5), 1 + small, {10 + 30 * small, 20 + 40 * small}));
  expect_state(attend_to<Real>(2, 0, 0), state_of<Real>(0, 2, {40, 60}));
}

// Equal keys, so that each token of a block of any size counts as much as the others.
template <class Real>
void expect_state_of_equal_keys(std::size_t num_tokens) {
  std::vector<Real> keys(num_tokens, 2), values(num_tokens, 3);
  log_step({"attend_block(num_tokens)", "attend_block: {0} tokens, query 1, keys 2, values 3"},
           num_tokens);
  const auto state = attend_block<Real>(std::vector<Real>{1}, {{1, num_tokens, 1, 1}, keys, values},
                                        0, 0, num_tokens, 1);
  log_attention_state(state);
  const auto num = static_cast<Real>(num_tokens);
  expect_state(state, state_of<Real>(2, num, {3 * num}));
}

TEST(AttendBlock, KnowsMaximumSumAndValues) {
  SPEC("max of the scores, sum of exp(score - max), and the values weighted by it",
       "5.7 attend_block");
  expect_states_of_scales<double>();
  expect_states_of_scales<float>();
  for (const std::size_t num_tokens : {16u, 129u, 300u}) {
    expect_state_of_equal_keys<double>(num_tokens);
    expect_state_of_equal_keys<float>(num_tokens);
  }
}

// Two equal scores, as far from 0 as the type allows.
template <class Real>
void expect_maximum_of_equal(Real score) {
  std::vector<Real> keys = {score, score}, values = {10, 20};
  log_step({"attend_block(score)", "attend_block: query 1, two keys of {0}, scale 1"}, score);
  const auto state =
      attend_block<Real>(std::vector<Real>{1}, {{1, 2, 1, 1}, keys, values}, 0, 0, 2, 1);
  log_attention_state(state);
  expect_state(state, state_of<Real>(score, 2, {30}));
}

// One token of the score 0, and many far below it: their sum shows.
template <class Real>
void expect_many_small_weights_in_block(Real distance) {
  std::vector<Real> keys(1000, -distance), values(1000, 3);
  keys[7] = 0;
  log_step({"attend_block(distance)", "attend_block: token 7 scores 0, 999 others -{0}, values 3"},
           distance);
  const auto state =
      attend_block<Real>(std::vector<Real>{1}, {{1, 1000, 1, 1}, keys, values}, 0, 0, 1000, 1);
  log_attention_state(state);
  const double sum = 1 + 999 * std::exp(-double{distance});
  expect_near(std::vector<Real>{state.sum, state.out[0]}, {sum, 3 * sum}, tolerance_of<Real>(1000),
              2);
}

// One score is 1,000 larger than the others: max is that score, and the others weigh nothing.
template <class Real>
void expect_largest_score(std::size_t place, std::size_t num_tokens) {
  std::vector<Real> keys(num_tokens, -1500), values(num_tokens, 7);
  keys[place] = -500;
  values[place] = 9;
  log_step({"attend_block(num_tokens, place)",
            "attend_block: {0} tokens, query 1, keys -1500, but -500 for token {1}"},
           num_tokens, place);
  const auto state = attend_block<Real>(std::vector<Real>{1}, {{1, num_tokens, 1, 1}, keys, values},
                                        0, 0, num_tokens, 1);
  log_attention_state(state);
  expect_state(state, state_of<Real>(-500, 1, {9}));
}

TEST(AttendBlock, TheMaximumMayBeNegative) {
  SPEC("max is the largest score, also if every score is negative", "5.7 attend_block");
  std::vector<double> keys = {4, 3}, values = {10, 20};
  log_step("attend_block: query -2, keys 4 and 3, scale 0.5");
  const auto state =
      attend_block<double>(std::vector<double>{-2}, {{1, 2, 1, 1}, keys, values}, 0, 0, 2, 0.5);
  log_attention_state(state);
  const double small = std::exp(-1.0);  // scores -4 and -3
  expect_state(state, state_of<double>(-3, 1 + small, {20 + 10 * small}));
  for (const std::size_t place : {0u, 1u, 20u, 40u, 299u}) {
    expect_largest_score<double>(place, 300);
    expect_largest_score<float>(place, 300);
  }
  for (const double score : {0.1, -0.1, 30.3, -1e300}) expect_maximum_of_neighbors(score);
  for (const float score : {0.1f, -0.1f, 30.3f, -1e38f}) expect_maximum_of_neighbors(score);
}

TEST(AttendBlock, ReadsNoFurtherThanItsTokens) {
  SPEC("I11: slots past num_tokens are not read", "5.7 attend_block");
  for (const double poison : kPoisons<double>) {
    expect_state(attend_to<double>(1, poison), state_of<double>(1.5, 1, {10, 20}));
  }
}

TEST(AttendBlock, NothingReadNothingKnown) {
  SPEC("no tokens: the state of a head that has read nothing", "5.7 attend_block");
  const auto state = attend_to<double>(0, kPoisons<double>[0]);
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
  SPEC("a block, a KV head or a slot that is not in the cache is refused", "5.7 attend_block",
       "a block or KV head that is not there");
  TwoBlocks blocks;
  blocks.attend(1, 0, 2, {1, 2});
  EXPECT_REFUSED(blocks.attend(2, 0, 1, {1, 2})) << "there are 2 blocks";
  EXPECT_REFUSED(blocks.attend(-1, 0, 1, {1, 2})) << "no block has the id -1";
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
  for (const double score : {1e300, -1e300}) expect_maximum_of_equal(score);
  for (const float score : {1e38f, -1e38f}) expect_maximum_of_equal(score);
  for (const double distance : {12, 14}) expect_many_small_weights_in_block(distance);
  for (const float distance : {12.0f, 14.0f}) expect_many_small_weights_in_block(distance);
  expect_any_growth_in_block<double>();
  expect_any_growth_in_block<float>();
}

// One token of so many KV heads that the last one has no number of 32 bits.
template <class Real>
void expect_far_head() {
  constexpr std::size_t kNumKvHeads = (std::size_t{1} << 32) + 2;
  FarMemory<Real> keys(kNumKvHeads, 1), values(kNumKvHeads, 1);
  values.real()[0] = 3;
  log_step({"attend_block(kv_head)", "attend_block: KV head {0}"}, kNumKvHeads - 1);
  const auto state =
      attend_block<Real>(std::vector<Real>(1), {{1, 1, kNumKvHeads, 1}, keys.view(), values.view()},
                         0, kNumKvHeads - 1, 1, 1);
  log_returned();
  EXPECT_SAME(state.out[0], 3) << "out of the one token, whose value is 3";
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
  expect_far_head<Real>();
}

TEST(AttendBlock, ReadsNoOtherSlot) {
  SPEC("the slots of the first num_tokens tokens are read, and no others", "5.7 attend_block",
       "first num_tokens slots", "O(num_tokens");
  expect_block_reads_its_tokens<double>();
  expect_block_reads_its_tokens<float>();
  for (const CostProbe& probe : attend_block_probes()) expect_cost(probe);
}

}  // namespace
}  // namespace kv::grader

// How two states of one head are merged.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "grader/harness/sweep.h"
#include "kv/require.h"

namespace kv::grader {
namespace {

template <class Real>
AttentionState<Real> merged(AttentionState<Real> state, const AttentionState<Real>& more) {
  log_step({"merge_attn_states(max, sum, out, more_max, more_sum, more_out)",
            "merge_attn_states(max {0}, sum {1}, out {2}; max {3}, sum {4}, out {5})"},
           state.max, state.sum, state.out, more.max, more.sum, more.out);
  merge_attn_states(state, more);
  log_attention_state(state);
  return state;
}

// The state with the smaller maximum has so large values that they show in the result.
template <class Real>
void expect_difference(Real max, Real more_max) {
  const double larger = std::fmax(max, more_max);
  const double keep = std::exp(max - larger), take = std::exp(more_max - larger);
  AttentionState<Real> state(1), more(1);
  state.max = max;
  state.sum = 2;
  state.out = {static_cast<Real>(4 / keep)};
  more.max = more_max;
  more.sum = 3;
  more.out = {static_cast<Real>(7 / take)};
  const std::vector<double> expected = {keep * 2 + take * 3, 4 + 7};
  log_step({"merge_attn_states(max, more_max)", "merge_attn_states: maxima {0} and {1}"}, max,
           more_max);
  merge_attn_states(state, more);
  log_returned();
  expect_near(std::vector<Real>{state.sum, state.out[0]}, expected, tolerance_of<Real>(16), 2);
}

template <class Real>
void expect_far_apart(Real max) {
  const auto low = state_of<Real>(-max, 2, {6, 9}), high = state_of<Real>(max, 1, {1, 5});
  expect_state(merged(low, high), high);
  expect_state(merged(high, low), high);
  expect_state(merged(low, low), state_of<Real>(-max, 4, {12, 18}));
}

// Up to the difference at which the smaller state counts no more, and beyond it.
template <class Real>
void expect_any_difference() {
  for (const Real difference : growths<Real>()) {
    if (testing::Test::HasFailure()) return;
    clear_log();
    if (difference > most_that_exp_takes<Real>()) {
      expect_far_apart(difference / 2);
      continue;
    }
    expect_difference<Real>(difference, 0);
    expect_difference<Real>(-difference, 0);
  }
}

// Two maxima with no number between them: the larger one stays, to its last digit.
template <class Real>
void expect_larger_of_neighbors(Real max) {
  const Real next = std::nextafter(max, std::numeric_limits<Real>::max());
  const auto low = state_of<Real>(max, 2, {6}), high = state_of<Real>(next, 3, {5});
  EXPECT_HOLDS(merged(low, high).max == next) << "max is not the larger of two neighbors";
  EXPECT_HOLDS(merged(high, low).max == next) << "max is not the larger of two neighbors";
}

// The state with the smaller maximum has so many tokens that they show in the sum.
template <class Real>
void expect_large_sum_far_below(Real distance) {
  const Real sum = 1e6f * std::exp(-distance);
  const auto one = state_of<Real>(0, 1, {2}), many = state_of<Real>(-distance, 1e6f, {3e6f});
  expect_state(merged(one, many), state_of<Real>(0, 1 + sum, {2 + 3 * sum}));
  expect_state(merged(many, one), state_of<Real>(0, 1 + sum, {2 + 3 * sum}));
}

TEST(MergeStates, MaximaOfAnyDifference) {
  SPEC("no state is left out because its maximum is smaller", "5.8 merge_attn_states",
       "only the rounding");
  for (const double distance : {12, 14}) expect_large_sum_far_below(distance);
  for (const float distance : {12.0f, 14.0f}) expect_large_sum_far_below(distance);
  expect_any_difference<double>();
  expect_any_difference<float>();
}

// A state over one token has the sum 1, and of values of 0 it has an out of 0: it counts, too.
template <class Real>
void expect_both_count() {
  const Real half = std::log(Real{2});
  const auto low = state_of<Real>(0, 3, {6, 9}), high = state_of<Real>(half, 2, {1, 5});
  expect_state(merged(low, high), state_of<Real>(half, 3.5, {4, 9.5}));
  expect_state(merged(high, low), state_of<Real>(half, 3.5, {4, 9.5}));
  expect_state(merged(low, low), state_of<Real>(0, 6, {12, 18}));
  const auto one = state_of<Real>(0, 1, {8, 2}), zeros = state_of<Real>(-half, 1, {0, 0});
  expect_state(merged(one, zeros), state_of<Real>(0, 1.5, {8, 2}));
  expect_state(merged(zeros, one), state_of<Real>(0, 1.5, {8, 2}));
}

TEST(MergeStates, BothAreWeighedAgainstTheLargerMaximum) {
  SPEC("sums and values of both, relative to the larger maximum", "5.8 merge_attn_states",
       "the state over its own tokens");
  expect_both_count<double>();
  expect_both_count<float>();
  for (const double max : {0.1, -0.1, 30.3, -1e300}) expect_larger_of_neighbors(max);
  for (const float max : {0.1f, -0.1f, 30.3f, -1e38f}) expect_larger_of_neighbors(max);
}

// Nothing has been read, but something is left in out.
template <class Real>
void expect_left_over_adds_nothing() {
  const auto some = state_of<Real>(-5, 2, {1, 5});
  auto left_over = AttentionState<Real>(2);
  left_over.out = {7, 9};
  expect_state(merged(some, left_over), some);
  expect_state(merged(left_over, some), some);
}

template <class Real>
void expect_nothing_adds_nothing() {
  const auto nothing = AttentionState<Real>(2), some = state_of<Real>(-5, 2, {1, 5});
  expect_state(merged(some, nothing), some);
  expect_state(merged(nothing, some), some);
  const auto none = merged(nothing, nothing);
  EXPECT_SAME(none.sum, 0) << "the sum over no tokens";
  EXPECT_SAME(none.out, (std::vector<Real>{0, 0})) << "no tokens and no tokens: no NaN";
}

TEST(MergeStates, NothingReadChangesNothing) {
  SPEC("a state that has read nothing changes nothing", "5.8 merge_attn_states");
  expect_nothing_adds_nothing<double>();
  expect_nothing_adds_nothing<float>();
  expect_left_over_adds_nothing<double>();
  expect_left_over_adds_nothing<float>();
}

template <class Real>
void expect_many_dimensions() {
  AttentionState<Real> state(70'000), more(70'000);
  state.max = more.max = state.sum = more.sum = 1;
  std::ranges::fill(state.out, Real{2});
  std::ranges::fill(more.out, Real{3});
  log_step("merge_attn_states of 70,000 dimensions");
  merge_attn_states(state, more);
  log_returned();
  EXPECT_SAME(state.out, std::vector<Real>(70'000, 5)) << "out of values 2 and 3";
}

TEST(MergeStates, TakesMoreThan16Bits) {
  SPEC("head_dim is any number", "5.8 merge_attn_states");
  expect_many_dimensions<double>();
  expect_many_dimensions<float>();
}

TEST(MergeStates, RefusesUnequalHeadDims) {
  SPEC("states of two head_dims are refused", "5.8 merge_attn_states");
  const auto narrow = state_of<double>(0, 1, {1});
  EXPECT_REFUSED(merged(narrow, state_of<double>(0, 1, {1, 2}))) << "head_dim 1 and head_dim 2";
  EXPECT_REFUSED(merged(narrow, AttentionState<double>(2))) << "nothing read yet";
  expect_state(merged(narrow, state_of<double>(0, 1, {3})), state_of<double>(0, 2, {4}));
}

TEST(MergeStates, LargeScoresStayFinite) {
  SPEC("states of far apart scores merge to finite numbers", "5.8 merge_attn_states");
  expect_far_apart<double>(1e4);
  expect_far_apart<double>(1e300);
  expect_far_apart<float>(1e4f);
  expect_far_apart<float>(1e38f);
}

}  // namespace
}  // namespace kv::grader

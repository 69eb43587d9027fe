// Rungs 4 and 5, their parts: rounds of tokens, and states of query heads.

#include <gtest/gtest.h>

#include <cmath>

#include "06-cuda-kernel/tests/rungs.h"

namespace kv::grader {
namespace {

void expect_added(const std::vector<float>& scores, const std::vector<float>& values) {
  const DeviceArray<float> device_scores(scores), device_values(values_in_dims(values)),
      state(unwritten(2 + kStateDims));
  log_step({"add_scores(scores, values)",
            "tokens with scores {0} and values from {1} on, four in a round"},
           scores, values);
  const double tolerance = double{sum_tolerance<float>(scores.size() + 16)};
  in_both_orders(
      [&] {
        launch_add_scores(state.data(), device_scores.data(), device_values.data(),
                          static_cast<int>(scores.size() / 4));
        return state.read();
      },
      [&](const std::vector<float>& yours) {
        expect_token_state(yours, scores, values, tolerance);
      });
}

constexpr float kNone = -std::numeric_limits<float>::infinity();

TEST(AddScores, StateAfterEachRound) {
  SPEC("four tokens share one maximum and one rescale", "6.12 add_scores",
       "the state after all of them");
  expect_added({1, 0.5f, -2, 3}, {1, 2, 4, 8});
  if (!HasFailure()) expect_added({3, 0.5f, -2, 1}, {1, 2, 4, 8});
  if (!HasFailure())
    expect_added({-1, 0, 2, 1, 5, 4, 3, 2, 0, 1, 2, 3}, {1, 2, 4, 8, 3, 5, 7, 9, 2, 2, 2, 6});
}

TEST(AddScores, TokensThatAreNone) {
  SPEC("a score of -INFINITY is no token", "6.12 add_scores",
       "A token with the score -INFINITY is none");
  expect_added({kNone, 0.5f, kNone, -1}, {1, 2, 4, 8});
  if (!HasFailure()) expect_added({kNone, kNone, kNone, kNone}, {1, 2, 4, 8});
  if (!HasFailure())
    expect_added({kNone, kNone, kNone, kNone, -5, -6, kNone, kNone}, {1, 2, 4, 8, 3, 5, 7, 9});
  if (!HasFailure())
    expect_added({-5, -6, kNone, kNone, kNone, kNone, kNone, kNone}, {1, 2, 4, 8, 3, 5, 7, 9});
}

TEST(AddScores, SmallWeightsAddUp) {
  SPEC("no token is too small to count", "6.12 add_scores", "the state after all of them");
  for (const float small : {-12.0f, -14.0f}) {
    std::vector<float> scores(400, small), values(400, 3);
    scores[0] = 0;
    values[0] = 1;
    expect_added(scores, values);
    std::ranges::reverse(scores);
    if (!HasFailure()) expect_added(scores, values);
    if (HasFailure()) return;
  }
  // Weights of 1e-11, and values that make up for them.
  expect_added({0, -25, -26, -25}, {1, 1e11f, 1e11f, 1e11f});
  if (!HasFailure())
    expect_added({-25, kNone, kNone, kNone, 0, kNone, kNone, kNone}, {1e11f, 0, 0, 0, 1, 0, 0, 0});
}

TEST(AddScores, StaysFinite) {
  SPEC("the state is finite for any finite scores", "6.12 add_scores", "in rounds of four");
  expect_added({-3000, 3000, 0, 3000, -3000, 4000, 0, 1}, {1, 2, 4, 8, 1, 2, 4, 8});
  if (!HasFailure()) expect_added({-3000, -2999, -3000, -3001}, {1, 2, 4, 8});
  if (!HasFailure()) expect_added({-3e38f, -3e38f, -3e38f, -3e38f}, {1, 2, 4, 8});
  if (!HasFailure())
    expect_added({-3e38f, kNone, -3e38f, kNone, -3e38f, 3e38f, -3e38f, 0},
                 {1, 2, 4, 8, 1, 2, 4, 8});
}

template <class Scalar>
void expect_states(BatchShape shape, int first, int end, float scale = 0) {
  DecodeBatch<Scalar> batch(std::move(shape), scale);
  const PagedAttentionParams<Scalar> params = batch.params();
  const Partials states(params, 1);
  log_step({"attend_tokens(first_token, end_token)", "tokens from {0} on, before {1}"}, first, end);
  in_both_orders(
      [&] {
        launch_attend_tokens(states.results(), params, first, end);
        return 0;
      },
      [&](int) { expect_partition(batch, states, 0, first, end); });
}

TEST(AttendTokens, StatesOfAGroup) {
  SPEC("each query head of the group has its own state", "6.13 attend_tokens",
       "The states of all query heads");
  expect_states<float>({4, 2, 64, 16, {40}}, 0, 40);
  if (!HasFailure()) expect_states<__half>({8, 1, 128, 16, {20}}, 0, 20);
  if (!HasFailure()) expect_states<float>({5, 1, 64, 16, {70, 70}}, 0, 70);
  if (!HasFailure()) expect_states<float>({2, 1, 64, 16, {5}, kFarBlock}, 0, 5, 0.75f);
}

TEST(AttendTokens, BeginsAndEndsAnywhere) {
  SPEC("tokens may begin and end inside a block", "6.13 attend_tokens", "begin and end anywhere");
  expect_states<float>({2, 1, 64, 16, {50}}, 16, 32);
  for (const auto& [first, end] : {std::pair{7, 45}, {2, 3}, {33, 35}, {22, 50}, {3, 35}}) {
    if (!HasFailure()) expect_states<float>({2, 1, 64, 16, {50}}, first, end);
  }
  if (!HasFailure()) expect_states<__half>({1, 1, 64, 8, {100}}, 13, 99);
  if (!HasFailure()) expect_states<__half>({1, 1, 64, 8, {100}}, 13, 77);
}

template <class Scalar>
void expect_loads_once() {
  DecodeBatch<Scalar> batch({4, 1, 128, 16, {96}});
  const PagedAttentionParams<Scalar> params = batch.params();
  const Partials states(params, 1);
  const TrafficSums sums =
      sums_of(traffic_of([&] { launch_attend_tokens(states.results(), params, 0, 96); }));
  expect_wide_reads(sums, sizeof(Scalar), "your code needs: load_packed");
  EXPECT_HOLDS(10 * sums.bytes_moved <= 13 * sums.bytes_unique)
      << "your code moves " << sums.bytes_moved << " bytes, of which " << sums.bytes_unique
      << " are different: use each key and each value for all query heads";
}

TEST(AttendTokens, LoadsServeFourHeads) {
  SPEC("a thread loads a key once for its query heads, 16 bytes at a time", "6.13 attend_tokens",
       "serve up to four query heads");
  expect_loads_once<float>();
  if (!HasFailure()) expect_loads_once<__half>();
  if (!HasFailure()) expect_loads_once<__nv_bfloat16>();
}

TrafficSums sums_of_32_tokens(int first_token) {
  DecodeBatch<float> batch({1, 1, 64, 16, {first_token + 32}});
  const PagedAttentionParams<float> params = batch.params();
  const Partials states(params, 1);
  log_step({"attend_tokens(first_token, end_token)", "tokens from {0} on, before {1}"}, first_token,
           first_token + 32);
  return sums_of(traffic_of(
      [&] { launch_attend_tokens(states.results(), params, first_token, first_token + 32); }));
}

TEST(AttendTokens, EarlierTokensCostNothing) {
  SPEC("it begins at first_token, not at token 0", "6.13 attend_tokens",
       "Earlier tokens cost nothing");
  const TrafficSums from_0 = sums_of_32_tokens(0), from_1024 = sums_of_32_tokens(1024);
  EXPECT_HOLDS(10 * from_1024.steps <= 15 * from_0.steps)
      << "32 tokens take " << from_0.steps << " steps of your warps from token 0 on, and "
      << from_1024.steps << " from token 1024 on: begin at the round of first_token";
  const TrafficSums from_7 = sums_of_32_tokens(7);
  // Why not equal: 32 tokens from token 7 on are in one block more, which is an entry of the table.
  EXPECT_HOLDS(from_7.bytes_unique <= from_0.bytes_unique + 32)
      << "your code reads and writes " << from_0.bytes_unique
      << " bytes for 32 tokens from token 0 on, and " << from_7.bytes_unique
      << " from token 7 on: load no token before first_token";
}

TEST(AttendTokens, NoTokens) {
  SPEC("without tokens the largest score is -INFINITY and the sum 0", "6.13 attend_tokens",
       "Without tokens the largest score is -INFINITY");
  DecodeBatch<float> batch({2, 1, 64, 16, {5}});
  const Partials states(batch.params(), 1);
  const PagedAttentionParams<float> params = batch.params();
  log_step({"attend_tokens(first_token, end_token)", "tokens from {0} on, before {1}"}, 5, 5);
  in_both_orders(
      [&] {
        launch_attend_tokens(states.results(), params, 5, 5);
        return 0;
      },
      [&](int) {
        for (const float largest : states.max_logits())
          EXPECT_SAME(largest, -std::numeric_limits<float>::infinity()) << "the largest score";
        for (const float sum : states.exp_sums()) EXPECT_SAME(sum, 0.0f) << "the sum of weights";
        for (const float sum : states.tmp_out()) EXPECT_SAME(sum, 0.0f) << "a sum of values";
      });
}

}  // namespace
}  // namespace kv::grader

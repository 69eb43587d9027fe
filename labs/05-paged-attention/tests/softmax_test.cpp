// Scores into weights.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "05-paged-attention/paged_attention.h"
#include "grader/harness/expectations.h"
#include "grader/harness/near.h"
#include "grader/harness/sweep.h"

namespace kv::grader {
namespace {

template <class Real>
void expect_weights(std::vector<Real> scores, const std::vector<Real>& expected) {
  log_step({"stable_softmax(scores)", "stable_softmax: {0}"}, scores);
  stable_softmax<Real>(scores);
  log_returned();
  const Real tolerance = sum_tolerance<Real>(scores.size());
  const std::size_t i = first_difference<Real>(scores, expected, tolerance);
  if (i == expected.size()) return;
  ADD_FAILURE() << "weight " << i << ": expected " << draw(expected[i]) << ", yours is "
                << draw(scores[i]);
}

// The weight of a score that is far below the largest, relative to what it should be.
template <class Real>
void expect_weight_far_below(Real distance) {
  std::vector<Real> scores = {0, -distance};
  log_step({"stable_softmax(scores)", "stable_softmax: {0}"}, scores);
  stable_softmax<Real>(scores);
  log_returned();
  EXPECT_HOLDS(near(scores[1] * std::exp(distance), Real{1}, sum_tolerance<Real>(8)))
      << "a small weight is exp(-" << distance << "), not " << draw(scores[1]);
}

// Four scores, each of them larger than the one before by `growth`, which may be negative.
template <class Real>
void expect_growing_scores(Real growth) {
  const std::vector<Real> scores = {-growth, 0, growth, 2 * growth};
  std::vector<Real> weights = scores;
  log_step({"stable_softmax(scores)", "stable_softmax: {0}"}, scores);
  stable_softmax<Real>(weights);
  log_returned();
  for (std::size_t i = 0; i < scores.size(); ++i) {
    long double sum = 0;
    for (const Real score : scores)
      sum += std::exp(static_cast<long double>(score) - static_cast<long double>(scores[i]));
    const auto expected = static_cast<double>(1 / sum);
    EXPECT_HOLDS(near_weight(weights[i], expected, scores.size(), 3 * double{growth}))
        << "of scores that grow by " << draw(growth) << ", weight " << i << ": expected "
        << draw(expected) << ", yours is " << draw(weights[i]);
  }
}

template <class Real>
void expect_any_growth() {
  for (const Real growth : growths<Real>()) {
    if (testing::Test::HasFailure()) return;
    clear_log();
    expect_growing_scores(growth);
    expect_growing_scores(-growth);
  }
}

// One score is 0 and many are far below it: their weights are small, but not their sum.
template <class Real>
void expect_many_small_weights(Real distance) {
  std::vector<Real> scores(70'000, -distance), weights(scores.size());
  scores[7] = 0;
  const double small = std::exp(-double{distance}), sum = 1 + 69'999 * small;
  for (std::size_t i = 0; i < scores.size(); ++i)
    weights[i] = static_cast<Real>((i == 7 ? 1 : small) / sum);
  expect_weights(scores, weights);
}

TEST(Softmax, WeightsAreSharesOfTheSum) {
  SPEC("a weight is exp(score) over the sum of them all", "5.3 stable_softmax",
       "divided by the sum");
  expect_weights<double>({0, std::log(3.0)}, {0.25, 0.75});
  expect_weights<double>({2, 2, 2, 2}, {0.25, 0.25, 0.25, 0.25});
  expect_weights<double>({-5}, {1});
  expect_weights<float>({0, std::log(4.0f)}, {0.2f, 0.8f});
  expect_weights<double>(std::vector<double>(70'000, 3), std::vector<double>(70'000, 1 / 7e4));
  for (const double distance : {14, 12}) expect_many_small_weights(distance);
  for (const float distance : {14.0f, 12.0f}) expect_many_small_weights(distance);
  for (const double distance : {40, 100, 700}) expect_weight_far_below(distance);
  for (const float distance : {40.0f, 80.0f}) expect_weight_far_below(distance);
}

TEST(Softmax, NoScoresNoWeights) {
  SPEC("no scores: nothing to do", "5.3 stable_softmax", "empty span");
  expect_weights<double>({}, {});
  expect_weights<float>({}, {});
}

// One score is 10,000 larger than the others, so that it has the weight 1.
template <class Real>
void expect_weight_of_largest(std::size_t size, std::size_t place) {
  std::vector<Real> scores(size, Real{-5000}), weights(size);
  scores[place] = 5000;
  weights[place] = 1;
  expect_weights(scores, weights);
}

TEST(Softmax, LargeScoresStayFinite) {
  SPEC("finite scores have finite weights, however large", "5.3 stable_softmax", "are finite");
  expect_weights<float>({1e4f, 1e4f, -1e4f}, {0.5f, 0.5f, 0});
  expect_weights<double>({1e4, 1e4, -1e4}, {0.5, 0.5, 0});
  expect_weights<double>({-1e4, -1e4}, {0.5, 0.5});
  expect_weights<float>({-1e4f, -1e4f}, {0.5f, 0.5f});
  expect_weights<float>({1e38f, -1e38f}, {1, 0});
  expect_weights<double>({1e300, -1e300}, {1, 0});
  expect_weights<float>({-1e38f, -1e38f}, {0.5f, 0.5f});
  expect_weights<double>({-1e300, -1e300}, {0.5, 0.5});
  for (const std::size_t size : {5u, 65u, 300u, 70'000u}) {
    for (const std::size_t place : {std::size_t{0}, std::size_t{1}, size / 2, size - 2, size - 1}) {
      expect_weight_of_largest<float>(size, place);
      expect_weight_of_largest<double>(size, place);
    }
  }
  expect_any_growth<float>();
  expect_any_growth<double>();
}

}  // namespace
}  // namespace kv::grader

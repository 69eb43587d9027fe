#pragma once
// Scores of one block that are near each other, far apart, and all between.

#include <cmath>
#include <limits>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"
#include "grader/harness/sweep.h"

namespace kv::grader {

// A score far below the maximum, with a value so large that it shows in out.
template <class Real>
void expect_small_weight_in_block(Real distance) {
  std::vector<Real> keys = {0, -distance}, values = {1, std::exp(distance)};
  log_step({"attend_block(distance)", "attend_block: scores 0 and -{0}, values 1 and e^{0}"},
           distance);
  const auto state =
      attend_block<Real>(std::vector<Real>{1}, {{1, 2, 1, 1}, keys, values}, 0, 0, 2, 1);
  log_attention_state(state);
  expect_state(state, state_of<Real>(0, 1 + std::exp(-distance), {2}));
}

// Four tokens of the values 1, 2, 4 and 8, whose scores grow by `growth`, which may be negative.
template <class Real>
void expect_growing_block(Real growth) {
  std::vector<Real> keys = {-growth, 0, growth, 2 * growth}, values = {1, 2, 4, 8};
  const Real largest = std::fmax(-growth, 2 * growth);
  long double sum = 0, out = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto below = static_cast<long double>(keys[i]) - static_cast<long double>(largest);
    sum += std::exp(below);
    out += std::exp(below) * static_cast<long double>(values[i]);
  }
  log_step({"attend_block(growth)", "attend_block: scores that grow by {0}, values 1 2 4 8"},
           growth);
  const auto state =
      attend_block<Real>(std::vector<Real>{1}, {{1, 4, 1, 1}, keys, values}, 0, 0, 4, 1);
  log_attention_state(state);
  EXPECT_SAME(state.max, largest) << "max, of scores that grow by " << draw(growth);
  expect_near(std::vector<Real>{state.sum, state.out[0]},
              {static_cast<double>(sum), static_cast<double>(out)}, tolerance_of<Real>(16), 2);
}

template <class Real>
void expect_any_growth_in_block() {
  for (const Real growth : growths<Real>()) {
    if (testing::Test::HasFailure()) return;
    clear_log();
    expect_growing_block(growth);
    expect_growing_block(-growth);
    if (growth <= most_that_exp_takes<Real>()) expect_small_weight_in_block(growth);
  }
}

// Two scores with no number between them: max is the larger one, to its last digit.
template <class Real>
void expect_maximum_of_neighbors(Real score) {
  const Real next = std::nextafter(score, std::numeric_limits<Real>::max());
  for (std::vector<Real> keys : {std::vector<Real>{score, next}, {next, score}}) {
    std::vector<Real> values(2);
    log_step({"attend_block(keys)", "attend_block: query 1, scale 1, keys {0}"}, keys);
    const auto state =
        attend_block<Real>(std::vector<Real>{1}, {{1, 2, 1, 1}, keys, values}, 0, 0, 2, 1);
    log_attention_state(state);
    EXPECT_HOLDS(state.max == next) << "max is not the larger of two neighbors, " << draw(next)
                                    << ", but lies by " << draw(next - state.max) << " below";
  }
}

}  // namespace kv::grader

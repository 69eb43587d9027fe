#pragma once
// The state of a head after some tokens: made, logged and compared.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"

namespace kv::grader {

template <class Real = double>
AttentionState<Real> state_of(Real max, Real sum, const std::vector<Real>& out) {
  AttentionState<Real> state(out.size());
  state.max = max;
  state.sum = sum;
  state.out = out;
  return state;
}

template <class Real>
std::string draw_state(const AttentionState<Real>& state) {
  return "max " + draw(state.max) + ", sum " + draw(state.sum) + ", out " + draw(state.out);
}

template <class Real>
void log_attention_state(const AttentionState<Real>& state) {
  log_state("max", state.max);
  log_state("sum", state.sum);
  log_state("out", state.out);
}

template <class Real>
void expect_state(const AttentionState<Real>& actual, const AttentionState<Real>& expected) {
  std::vector<Real> numbers = {actual.max, actual.sum}, wanted = {expected.max, expected.sum};
  numbers.insert(numbers.end(), actual.out.begin(), actual.out.end());
  wanted.insert(wanted.end(), expected.out.begin(), expected.out.end());
  const auto tolerance = static_cast<Real>(tolerance_of<Real>(16));
  if (first_difference<Real>(numbers, wanted, tolerance) == wanted.size()) return;
  std::string reason;
  for (const Real number : numbers) {
    if (reason.empty()) reason = draw_reason_of_nan(number);
  }
  ADD_FAILURE() << "expected " << draw_state(expected) << "\n   yours is " << draw_state(actual)
                << reason;
}

}  // namespace kv::grader

#pragma once
// The state of a head after some tokens: made, logged and compared.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "05-paged-attention/tests/attention_fixture.h"

namespace kv::grader {

inline AttentionState<double> state_of(double max, double sum, const std::vector<double>& out) {
  AttentionState<double> state(out.size());
  state.max = max;
  state.sum = sum;
  state.out = out;
  return state;
}

inline std::string draw_state(const AttentionState<double>& state) {
  return "max " + draw(state.max) + ", sum " + draw(state.sum) + ", out " + draw(state.out);
}

inline void log_attention_state(const AttentionState<double>& state) {
  log_state("max", state.max);
  log_state("sum", state.sum);
  log_state("out", state.out);
}

inline void expect_state(const AttentionState<double>& actual,
                         const AttentionState<double>& expected) {
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

}  // namespace kv::grader

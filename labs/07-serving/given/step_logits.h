#pragma once
// The logits of the rows that a step samples from, computed together: the largest matrix of a model
// is read once for all requests then.

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "07-serving/given/llama.h"

namespace kv {

class StepLogits {
 public:
  explicit StepLogits(const LlamaModel& model) : model_(model) {}

  // Computes the logits of these rows, and forgets those of the step before.
  void compute(std::vector<float> hidden_states) {  // [num_rows, hidden_size]
    hidden_states_ = std::move(hidden_states);
    logits_ = model_.compute_logits(hidden_states_);
  }

  // The logits of one row. Those of a row that compute did not have are computed now.
  std::vector<float> of(std::span<const float> hidden_state) const {  // [hidden_size]
    const std::size_t vocab_size = model_.config().vocab_size;
    const auto states = std::span(hidden_states_);
    for (std::size_t row = 0; row * hidden_state.size() < states.size(); ++row) {
      if (!std::ranges::equal(hidden_state,
                              states.subspan(row * hidden_state.size(), hidden_state.size())))
        continue;
      const auto begin = logits_.begin() + static_cast<std::ptrdiff_t>(row * vocab_size);
      return {begin, begin + static_cast<std::ptrdiff_t>(vocab_size)};
    }
    return model_.compute_logits(hidden_state);
  }

 private:
  const LlamaModel& model_;
  std::vector<float> hidden_states_;  // [num_rows, hidden_size]
  std::vector<float> logits_;         // [num_rows, vocab_size]
};

}  // namespace kv

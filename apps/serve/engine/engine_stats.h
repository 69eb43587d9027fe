#pragma once
// What one can see of an engine from outside: the metrics of vLLM.

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "07-serving/given/served_request.h"

namespace kv::serve {

// Prometheus: how many values are at most each bound.
struct Histogram {
  static constexpr std::array kBounds = {0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1,  0.25,
                                         0.5,   0.75,  1.0,  2.5,  5.0,  7.5,  10.0, 20.0, 40.0};
  std::array<std::size_t, kBounds.size()> num_at_most = {};
  std::size_t count = 0;
  double sum = 0;

  void add(double value) {
    for (std::size_t i = 0; i < kBounds.size(); ++i) num_at_most[i] += value <= kBounds[i] ? 1 : 0;
    ++count;
    sum += value;
  }
};

struct EngineStats {
  std::size_t num_requests_running = 0;
  std::size_t num_requests_waiting = 0;
  std::size_t num_blocks = 0;  // without the null block
  std::size_t num_used_blocks = 0;
  std::size_t num_preemptions = 0;
  std::size_t num_prompt_tokens = 0;  // the prefix cache is asked for each
  std::size_t num_generation_tokens = 0;
  std::size_t num_prefix_cache_hits = 0;  // prompt tokens that the prefix cache had
  std::size_t num_stopped = 0;            // requests that ended, by their reason
  std::size_t num_at_length = 0;
  std::size_t num_aborted = 0;
  Histogram time_to_first_token_s = {};
  Histogram inter_token_latency_s = {};

  // reason: none if nobody waited for the answer any more.
  void count_finished(std::optional<FinishReason> reason) {
    if (!reason)
      ++num_aborted;
    else
      ++(*reason == FinishReason::kStop ? num_stopped : num_at_length);
  }
};

}  // namespace kv::serve

#pragma once
// A trace through the scheduler of given/scheduler.h and the manager: continuous batching, with as
// many requests as the memory takes, and always one that waits.

#include <cstddef>

#include "04-kv-cache-manager/bench/replay/memory_use.h"

namespace kv::replay {

struct Serving {
  Scheme scheme;                      // paged
  std::size_t num_prompt_tokens = 0;  // of all requests
  std::size_t num_hit_tokens = 0;     // found in the prefix cache; again after a preemption
  double mean_blocks = 0;             // in use, in the steps in which a request waits
  std::size_t peak_blocks = 0;
  std::size_t num_usable_blocks = 0;
  double seconds = 0;  // of processor time
};

// Throws ReplayError if the manager breaks.
Serving serve(const Trace& trace,
              const ServingOptions& options,
              std::size_t block_size,
              bool enable_caching,
              Progress& progress);

}  // namespace kv::replay

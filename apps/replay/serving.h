#pragma once
// A trace served: how much of the memory for keys and values holds tokens, while requests wait for
// it. Whole requests in one piece of memory each, and pages.

#include <cstddef>
#include <string>
#include <vector>

#include "04-kv-cache-manager/given/rules.h"
#include "apps/replay/progress.h"
#include "apps/replay/trace.h"

namespace kv::replay {

struct ServingOptions {
  std::size_t num_requests;            // the first of the trace
  std::size_t pool_tokens;             // slots of the whole memory
  std::size_t max_model_len;           // tokens that a request can have
  std::size_t max_num_batched_tokens;  // that a step computes
  std::size_t max_num_seqs;            // requests that run at the same time
  double watermark;                    // share of the blocks that an admission leaves free
};

// Averages over steps, from the first in which a request waits for memory to the last in which one
// waits. Before that the memory fills, and after that it empties.
class MemoryUse {
 public:
  explicit MemoryUse(std::size_t pool_tokens = 0)
      : pool_tokens_(static_cast<double>(pool_tokens)) {}

  // A step. num_reserved: slots that the requests of the batch have.
  void add(std::size_t num_held, std::size_t num_reserved, std::size_t num_running, bool waits) {
    if (!waits && num_steps_ == 0) return;
    ++num_steps_;
    of_pool_ += static_cast<double>(num_held) / pool_tokens_;
    of_reserved_ += static_cast<double>(num_held) / static_cast<double>(num_reserved);
    running_ += static_cast<double>(num_running);
  }

  // NaN when no request has waited.
  double of_pool() const { return of_pool_ / num_steps_; }
  double of_reserved() const { return of_reserved_ / num_steps_; }
  double mean_running() const { return running_ / num_steps_; }

 private:
  double pool_tokens_;
  double num_steps_ = 0, of_pool_ = 0, of_reserved_ = 0, running_ = 0;
};

struct Scheme {
  std::string name;
  MemoryUse use;
  std::size_t num_steps = 0;
  std::size_t num_preemptions = 0;
};

// Whole requests in one piece of memory each: the maximum length reserved, the prompt and the
// output rounded up to a power of two, and the length that an oracle gives.
std::vector<Scheme> reserve_in_one_piece(const Trace& trace,
                                         const ServingOptions& options,
                                         std::size_t num_threads,
                                         Progress& progress);

// A trace through given/simple_scheduler.h and the manager: continuous batching, with as many
// requests as the memory takes, and always one that waits.
struct Serving {
  Scheme scheme;                      // paged
  std::size_t num_prompt_tokens = 0;  // tokens of all prompts
  std::size_t num_hit_tokens = 0;     // found in the prefix cache; again after a preemption
  std::size_t num_first_hits = 0;     // those of them that were found before any preemption
  double mean_blocks = 0;             // in use, in the steps in which a request waits
  std::size_t peak_blocks = 0;
  std::size_t num_usable_blocks = 0;
  double seconds = 0;  // processor time
};

// Throws ReplayError if the manager breaks.
Serving serve(const Trace& trace,
              const ServingOptions& options,
              std::size_t block_size,
              bool enable_caching,
              Rules rules,
              Progress& progress);

}  // namespace kv::replay

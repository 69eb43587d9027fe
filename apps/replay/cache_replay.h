#pragma once
// The hit rate of a prefix cache of a certain capacity: the prompts of a trace, one after the
// other, through a manager of that many blocks. A request is found, allocated and freed before the
// next one comes.

#include <cstddef>
#include <vector>

#include "03-block-hashing/request.h"
#include "04-kv-cache-manager/given/rules.h"
#include "apps/replay/progress.h"
#include "apps/replay/trace.h"

namespace kv::replay {

struct CacheReplay {
  std::size_t capacity;                  // blocks that can hold something: all but the null block
  std::size_t num_blocks = 0;            // blocks that were looked up, for all prompts
  std::size_t num_hits = 0;              // blocks that were looked up and found
  std::size_t num_tokens_when_warm = 0;  // tokens of the second half of the prompts
  std::size_t num_hits_when_warm = 0;    // tokens of these that were found
  std::size_t num_evictions = 0;         // cached blocks that were given to another text
  std::size_t num_unfit = 0;             // requests with more blocks than the capacity
  double seconds = 0;                    // processor time of the calls alone

  double hit_rate() const {
    return static_cast<double>(num_hits) / static_cast<double>(num_blocks);
  }
  // The first half of the requests fills the cache. So count the authors of the Mooncake traces.
  double hit_rate_when_warm() const {
    return static_cast<double>(num_hits_when_warm) / static_cast<double>(num_tokens_when_warm);
  }
};

struct Prompt {
  Request whole;           // whole_prompt_of a request of the trace
  std::size_t num_tokens;  // that the request has, without those that make the last block whole
};

// All prompts of the trace.
std::vector<Prompt> whole_prompts(const Trace& trace,
                                  std::size_t block_size,
                                  std::size_t num_threads);

// Through the KVCacheManager that this program is linked with. Throws ReplayError if it breaks.
CacheReplay replay_manager(const std::vector<Prompt>& prompts,
                           std::size_t capacity,
                           Rules rules,
                           Progress& progress);

// Through the oracle of reference/, which has no code of the labs. compares_tokens: a hit has equal
// tokens too, as in lab 03; otherwise the hash decides.
CacheReplay replay_oracle(const std::vector<Prompt>& prompts,
                          std::size_t capacity,
                          bool compares_tokens,
                          Progress& progress);

}  // namespace kv::replay

#pragma once
// What a replay found: as tables with bars, and as JSON.

#include <optional>
#include <ostream>
#include <vector>

#include "apps/replay/cache_replay.h"
#include "apps/replay/options.h"
#include "apps/replay/serving.h"

namespace kv::replay {

// One capacity: the manager, and the oracle with and without tokens if they were asked for. Seconds
// are medians over the rounds.
struct HitRate {
  CacheReplay manager;
  std::optional<CacheReplay> reference = {};        // the hash decides
  std::optional<CacheReplay> exact_reference = {};  // tokens are compared too

  bool agrees() const {
    return !reference || (reference->num_hits == manager.num_hits &&
                          exact_reference->num_hits == manager.num_hits);
  }
};

struct Results {
  std::vector<HitRate> hit_rates;
  std::vector<Scheme> contiguous;  // empty: nothing was served
  std::vector<Serving> paged;      // without and with shared prefixes
  std::size_t prompt_bytes = 0;    // tokens and hashes of all prompts, made before the replay
  std::size_t num_events = 0;
};

void print_report(const Trace& trace, const Options& options, const Results& results);
void write_json(std::ostream& out,
                const Trace& trace,
                const Options& options,
                const Results& results);

// What this program has needed so far.
std::size_t peak_memory_bytes();

}  // namespace kv::replay

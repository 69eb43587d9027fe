#pragma once
// The log of a replay for a page that plays it: calls of the manager and the state after each, in
// the form of docs/dev/story.md, one object a line.

#include <cstddef>
#include <string>

#include "04-kv-cache-manager/given/rules.h"
#include "apps/replay/trace.h"

namespace kv::replay {

struct EventOptions {
  std::string file;
  std::size_t num_blocks;  // all blocks of the pool, the null block included
  std::size_t block_size;
  Rules rules;
};

// Starts the requests of the trace one after the other. When there is no room for the next one, the
// oldest that runs is freed. Ends with the trace or after kMaxEvents calls. The number of calls.
// Throws ReplayError.
inline constexpr std::size_t kMaxEvents = 2000;
std::size_t write_events(const Trace& trace, const EventOptions& options);

}  // namespace kv::replay

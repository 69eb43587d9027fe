#pragma once
// Synthetic traces: conversations of several turns, in which each prompt is the one before it, the
// answer to it and a new question. Many conversations begin with the same system prompt.

#include <cstdint>
#include <ostream>

#include "04-kv-cache-manager/bench/replay/trace.h"

namespace kv::replay {

// The default trace is this: default_trace.jsonl.
inline constexpr std::uint64_t kDefaultSeed = 4;
inline constexpr std::size_t kDefaultRequests = 800;

// Writes a trace as JSON lines. The same seed gives the same bytes on every machine: no
// floating-point numbers, and no distribution of the standard library.
void generate_trace(std::ostream& out, std::uint64_t seed, std::size_t num_requests);

}  // namespace kv::replay

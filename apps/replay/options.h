#pragma once
// The options of the replay.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "04-kv-cache-manager/given/rules.h"
#include "apps/replay/serving.h"
#include "apps/replay/trace.h"

namespace kv::replay {

struct Options {
  std::string trace = {};  // a file; empty: the default one
  ReadOptions read = {};
  std::size_t generate = 0;  // requests to write as a trace; 0: replay one
  std::uint64_t seed;

  std::size_t block_size = 16;
  Rules rules = Rules::kVllm022;
  std::vector<std::size_t> capacities = {};  // in blocks; empty: shares of what the trace needs
  bool beside_reference = false;
  int rounds = 1;  // with the reference: how often each is timed

  ServingOptions serving;  // 0: chosen for the trace

  std::size_t num_threads = 0;  // 0: as many as there are cores
  std::string json_file = {};   // "-": the standard output, and no tables
  std::string events_file = {};
  std::size_t events_blocks = 65;
};

// nullopt: nothing is left to do, and this is the exit status. Says itself what is wrong.
std::optional<int> parse(int argc, char** argv, Options& options);

// Fills in what depends on the trace. Throws ReplayError where options contradict it.
void complete(Options& options, const Trace& trace);

}  // namespace kv::replay

#pragma once
// Reads a trace from a file. Two formats, told apart by the first line:
//
//   {"timestamp": 0, "input_length": 1100, "output_length": 90, "hash_ids": [0, 1, 7]}
//       JSON lines, as the published Mooncake traces: an id for each 512 tokens of the prompt
//   TIMESTAMP,ContextTokens,GeneratedTokens
//       CSV, as the Azure LLM traces: lengths only, so no two prompts share anything

#include <istream>
#include <string>

#include "04-kv-cache-manager/bench/replay/trace.h"

namespace kv::replay {

struct ReadOptions {
  bool skip_bad = false;         // leave malformed lines out, and count them
  std::size_t max_requests = 0;  // read no more; 0: all
};

// file: "-" is the standard input. Throws ReplayError, with file and line, at a malformed line.
Trace read_trace(const std::string& file, const ReadOptions& options);

// The same from a stream; name: for messages.
Trace read_trace(std::istream& in, const std::string& name, const ReadOptions& options);

}  // namespace kv::replay

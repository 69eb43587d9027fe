#pragma once
// A trace: which requests reached a server, and which blocks of text their prompts share. It is
// read from a file or generated, and becomes prompts.

#include <cstddef>
#include <cstdint>
#include <istream>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "03-block-hashing/request.h"

namespace kv::replay {

// An id of a trace stands for so many tokens of a prompt and all before them.
inline constexpr std::size_t kTraceBlock = 512;

struct TraceRequest {
  std::size_t input_length;   // tokens of the prompt
  std::size_t output_length;  // tokens of the answer
  std::size_t first_id;       // where its ids begin in Trace::ids

  std::size_t num_ids() const { return (input_length + kTraceBlock - 1) / kTraceBlock; }
  // A request generates a token at least.
  std::size_t num_tokens() const { return input_length + (output_length == 0 ? 1 : output_length); }
};

struct Trace {
  std::string name;
  std::vector<TraceRequest> requests;
  std::vector<std::uint32_t> ids;  // all ids, one request after the other; numbered from 0 on
  std::size_t num_distinct_ids = 0;
  std::size_t num_bad_lines = 0;  // skipped

  std::span<const std::uint32_t> ids_of(const TraceRequest& request) const {
    return std::span(ids).subspan(request.first_id, request.num_ids());
  }
};

// The replay cannot be done as asked, or the tree under test misbehaves. The message is one
// sentence that says what to do.
class ReplayError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Reads a trace from a file. Two formats, told apart by the first line:
//
//   {"timestamp": 0, "input_length": 1100, "output_length": 90, "hash_ids": [0, 1, 7]}
//       JSON lines, as the published Mooncake traces: an id for each 512 tokens of the prompt
//   TIMESTAMP,ContextTokens,GeneratedTokens
//       CSV, as the Azure LLM traces: lengths only, so no two prompts share anything
struct ReadOptions {
  bool skip_bad = false;         // leave malformed lines out, and count them
  std::size_t max_requests = 0;  // read no more; 0: all
};

// file: "-" is the standard input. Throws ReplayError, with file and line, at a malformed line.
Trace read_trace(const std::string& file, const ReadOptions& options);

// The same from a stream; name: for messages.
Trace read_trace(std::istream& in, const std::string& name, const ReadOptions& options);

// Synthetic traces: conversations of several turns, in which each prompt is the one before it, the
// answer to it and a new question. Many conversations begin with the same system prompt.

inline constexpr std::uint64_t kDefaultSeed = 4;
inline constexpr std::size_t kDefaultRequests = 800;

// Writes a trace as JSON lines. The same seed gives the same bytes on every machine: no
// floating-point numbers, and no distribution of the standard library.
void generate_trace(std::ostream& out, std::uint64_t seed, std::size_t num_requests);

// A generated one, of that seed and as many requests. Why none is in a file: it is made in a
// moment.
Trace default_trace(const ReadOptions& options);

// Requests made of a trace. Its ids become tokens: token p of the block with number d is
// 512 * d + p. So two blocks have equal tokens if and only if they have equal ids.

// The name of request `index`: "r7".
inline std::string name_of(std::size_t index) {
  return "r" + std::to_string(index);
}

// The first num_tokens tokens of the text that the ids of the request stand for; where the text is
// shorter, zeros follow. Not hashed.
inline Request prompt_of(const Trace& trace,
                         std::size_t index,
                         std::size_t num_tokens,
                         std::size_t block_size) {
  Request request{.request_id = name_of(index), .block_size = block_size, .token_ids = {}};
  request.token_ids.reserve(num_tokens);
  for (const std::uint32_t id : trace.ids_of(trace.requests[index])) {
    const auto first = static_cast<TokenId>(id * kTraceBlock);
    for (TokenId p = 0; p < TokenId{kTraceBlock} && request.token_ids.size() < num_tokens; ++p)
      request.token_ids.push_back(first + p);
  }
  request.token_ids.resize(num_tokens);
  return request;
}

// The prompt of the cache replay: each id counts as a whole block of 512 tokens, and one more token
// follows. A manager never finds the last token of a request; so all ids can be found.
inline Request whole_prompt_of(const Trace& trace, std::size_t index, std::size_t block_size) {
  const std::size_t num_tokens = trace.requests[index].num_ids() * kTraceBlock;
  Request request = prompt_of(trace, index, num_tokens + 1, block_size);
  update_block_hashes(request);
  return request;
}

}  // namespace kv::replay

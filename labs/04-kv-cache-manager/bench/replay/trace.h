#pragma once
// A trace: which requests reached a server, and which blocks of text their prompts share.

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

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
  std::vector<std::uint32_t> ids;  // of all requests, one after the other; numbered from 0 on
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

}  // namespace kv::replay

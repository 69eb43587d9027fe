#pragma once
// Requests made of a trace. Its ids become tokens: token p of the block with number d is
// 512 * d + p. So two blocks have equal tokens if and only if they have equal ids.

#include <cstddef>
#include <string>

#include "03-block-hashing/request.h"
#include "04-kv-cache-manager/bench/replay/trace.h"

namespace kv::replay {

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

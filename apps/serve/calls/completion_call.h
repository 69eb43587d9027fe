#pragma once
// What a call of /v1/completions, /v1/chat/completions or /v1/responses asks for.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "07-serving/engine.h"
#include "apps/speaker/speaker.h"

namespace kv::serve {

enum class Endpoint { kCompletions, kChatCompletions, kResponses };

struct CompletionCall {
  Endpoint endpoint;
  std::vector<std::vector<TokenId>> prompts;  // as the engine gets them, with the begin of a text
  std::size_t n = 1;                          // answers to each prompt
  SamplingParams sampling = {};
  bool has_seed = false;               // else each call gets another one
  std::vector<std::string> stop = {};  // strings that end an answer and are not part of it
  std::optional<std::size_t> num_logprobs = {};  // beside that of the chosen token; none: no list
  bool echo = false;                             // the answer begins with the prompt
  bool stream = false;
  bool include_usage = false;           // in a last event of the stream
  bool continuous_usage_stats = false;  // in each event, what it is so far
  nlohmann::json given_back = {};       // fields that an answer of /v1/responses repeats
};

// What the server can do.
struct CallLimits {
  std::string model;  // the name that calls may give
  std::size_t max_model_len;
  std::size_t max_requests;  // answers in one call
};

// Throws ApiError.
CompletionCall read_completion_call(Endpoint endpoint,
                                    const std::string& body,
                                    const Speaker& speaker,
                                    const CallLimits& limits);

// Its requests, still without ids: n for each prompt. number: of the call, which is the seed of one
// that gives none.
std::vector<ServedRequest> requests_of(const CompletionCall& call,
                                       const EngineConfig& config,
                                       std::size_t number);

}  // namespace kv::serve

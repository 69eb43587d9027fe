#pragma once
// A request as the scheduler sees it: what the KV cache needs of it (lab 03), and besides, how its
// answer is chosen, when it ends, and where it stands.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "03-block-hashing/request.h"

namespace kv {

// vLLM: SamplingParams in vllm/sampling_params.py
struct SamplingParams {
  std::size_t max_tokens = 16;               // the most that the output can have, at least 1
  std::size_t min_tokens = 0;                // before the output has so many, no token ends it
  std::optional<TokenId> eos_token_id = {};  // the model's end of a text; none: it is ignored
  std::vector<TokenId> stop_token_ids = {};  // others that end the output
  double temperature = 0;                    // 0: always the most likely token
  // Only the most likely tokens are drawn, as many as have this probability together.
  double top_p = 1;
  std::uint64_t seed = 0;
  std::string random_key = {};  // beside the seed, in place of the request's id; empty: the id
  // How many of the most likely tokens Engine::take_sampled lists; none: it has nothing.
  std::optional<std::size_t> num_logprobs = {};
  // Whether Engine::take_prompt_logprobs lists the tokens of the prompt in the same way; requires
  // num_logprobs. Those that the prefix cache has found are not computed, and not listed: the
  // request needs skip_reading_prefix_cache.
  bool prompt_logprobs = false;
};

// vLLM: RequestStatus in vllm/v1/request.py; requests that have ended are forgotten here
enum class RequestStatus { kWaiting, kRunning, kPreempted };

// vLLM: FinishReason in vllm/v1/engine/__init__.py
enum class FinishReason { kStop, kLength };

// vLLM: Request in vllm/v1/request.py
struct ServedRequest : Request {
  SamplingParams sampling_params = {};
  int priority = 0;         // smaller goes first, under SchedulingPolicy::kPriority
  double arrival_time = 0;  // seconds; of two with the same priority, the earlier goes first

  // Written by the scheduler only.
  std::size_t num_prompt_tokens = 0;  // the first of its token_ids; the others are output
  RequestStatus status = RequestStatus::kWaiting;
  std::size_t num_preemptions = 0;
  std::size_t num_cached_tokens = 0;         // prompt tokens found when it was admitted first
  std::vector<TokenId> spec_token_ids = {};  // drafts of its next tokens (7.14)

  std::size_t num_tokens_with_spec() const { return token_ids.size() + spec_token_ids.size(); }
  std::size_t num_output_tokens() const { return token_ids.size() - num_prompt_tokens; }
};

}  // namespace kv

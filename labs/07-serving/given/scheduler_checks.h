#pragma once
// What the scheduler refuses.

#include <algorithm>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "02-block-pool/block_pool.h"
#include "07-serving/scheduler.h"
#include "kv/require.h"

namespace kv {

// The constructor. Why: a request that never fits, or is never allowed to start, would wait for
// ever, and all after it.
inline void require_schedulable(const SchedulerConfig& config, BlockPool& pool) {
  const std::size_t num_blocks = pool.blocks().size() - 1;  // without the null block
  KV_REQUIRE("a watermark is a share of the blocks: 0 or more, and below 1",
             config.watermark >= 0 && config.watermark < 1);
  KV_REQUIRE("a step has room for a token, and a request may run",
             config.max_num_batched_tokens > 0 && config.max_num_seqs > 0);
  KV_REQUIRE(
      "a request of max_model_len tokens fits into the pool",
      config.max_model_len > 0 && (config.max_model_len - 1) / pool.block_size() < num_blocks);
  KV_REQUIRE(
      "without chunked prefill, a step has room for max_model_len tokens",
      config.enable_chunked_prefill || config.max_num_batched_tokens >= config.max_model_len);
}

// vLLM: SamplingParams._verify_args
inline void require_sampling(const SamplingParams& params) {
  KV_REQUIRE("an output has a token, and its temperature is 0 or more",
             params.max_tokens > 0 && params.temperature >= 0);
  KV_REQUIRE("top_p is more than 0, and at most 1", params.top_p > 0 && params.top_p <= 1);
  KV_REQUIRE("prompt_logprobs need num_logprobs",
             !params.prompt_logprobs || params.num_logprobs.has_value());
  KV_REQUIRE("min_tokens are at most max_tokens", params.min_tokens <= params.max_tokens);
}

// Step 7.1.
inline void require_servable(const ServedRequest& request,
                             std::size_t block_size,
                             std::size_t max_model_len) {
  const std::size_t num_prompt_tokens = request.token_ids.size();
  KV_REQUIRE("a request of this block size, of which nothing is computed",
             request.block_size == block_size && request.num_computed_tokens == 0);
  KV_REQUIRE("a request is new: nothing is in the fields that only the scheduler writes",
             request.status == RequestStatus::kWaiting && request.num_prompt_tokens == 0 &&
                 request.num_preemptions == 0 && request.num_cached_tokens == 0 &&
                 request.spec_token_ids.empty());
  KV_REQUIRE("a prompt has a token, and leaves room for one more",
             num_prompt_tokens > 0 && num_prompt_tokens < max_model_len);
  KV_REQUIRE("an output has room for min_tokens",
             request.sampling_params.min_tokens <= max_model_len - num_prompt_tokens);
  require_sampling(request.sampling_params);
}

// Step 7.17.
inline void require_forkable(const ServedRequest& parent,
                             const SamplingParams& params,
                             std::size_t max_model_len) {
  KV_REQUIRE("a parent runs, has output, and lacks its last token only",
             parent.status == RequestStatus::kRunning && parent.num_output_tokens() > 0 &&
                 parent.num_computed_tokens + 1 == parent.token_ids.size());
  KV_REQUIRE("a child has a token of output to come, and room for min_tokens",
             params.max_tokens > parent.num_output_tokens() - 1 &&
                 params.min_tokens <= max_model_len - parent.num_prompt_tokens);
  require_sampling(params);
}

// Step 7.8: a request that has a token has computed the last one that was known before the step.
inline void require_sampled(const SchedulerOutput& output,
                            std::span<const std::vector<TokenId>> sampled_token_ids,
                            const std::unordered_map<std::string, ServedRequest>& requests) {
  KV_REQUIRE("a list of tokens for each scheduled request",
             sampled_token_ids.size() == output.scheduled.size());
  for (std::size_t i = 0; i < output.scheduled.size(); ++i) {
    const ScheduledRequest& scheduled = output.scheduled[i];
    const auto found = requests.find(scheduled.request_id);
    const std::size_t num_drafts = scheduled.spec_token_ids.size();
    const bool is_whole = found == requests.end() ||
                          scheduled.num_computed_tokens + scheduled.num_tokens - num_drafts ==
                              found->second.token_ids.size();
    const std::size_t num_most = is_whole ? 1 + num_drafts : 0;
    KV_REQUIRE(
        "one token for a request of which all known tokens are computed, and one for each right "
        "draft, else none",
        sampled_token_ids[i].size() <= num_most);
  }
}

}  // namespace kv

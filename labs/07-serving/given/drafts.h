#pragma once
// How drafts get into a step.

#include <algorithm>
#include <utility>
#include <vector>

#include "07-serving/given/schedule.h"

namespace kv {

// The drafts of a request that are among the next num_tokens tokens. They are its drafts no longer.
inline std::vector<TokenId> take_drafts(ServedRequest& request, std::size_t num_tokens) {
  const std::size_t num_known = request.token_ids.size() - request.num_computed_tokens;
  std::vector<TokenId> drafts = std::exchange(request.spec_token_ids, {});
  drafts.resize(num_tokens - std::min(num_tokens, num_known));
  return drafts;
}

// Drafts end before a token that ends the text, which the model samples anyway, and before the last
// token of the output. So none is right after the end.
inline std::vector<TokenId> drafts_before_the_end(std::vector<TokenId> drafts,
                                                  const ServedRequest& request) {
  const SamplingParams& params = request.sampling_params;
  const auto ends_text = [&](TokenId token) {
    return token == params.eos_token_id || std::ranges::count(params.stop_token_ids, token) > 0;
  };
  const auto first_end = std::ranges::find_if(drafts, ends_text);
  const std::size_t num_before_end = static_cast<std::size_t>(first_end - drafts.begin());
  const std::size_t num_left = params.max_tokens - request.num_output_tokens();
  drafts.resize(std::min(num_before_end, num_left - 1));
  return drafts;
}

inline bool has_drafts(const SchedulerOutput& output) {
  return std::ranges::any_of(output.scheduled, [](const ScheduledRequest& scheduled) {
    return !scheduled.spec_token_ids.empty();
  });
}

}  // namespace kv

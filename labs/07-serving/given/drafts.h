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

inline bool has_drafts(const SchedulerOutput& output) {
  return std::ranges::any_of(output.scheduled, [](const ScheduledRequest& scheduled) {
    return !scheduled.spec_token_ids.empty();
  });
}

}  // namespace kv

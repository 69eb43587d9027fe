#include "07-serving/speculation.h"

#include <algorithm>

#include "07-serving/scheduler.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

std::vector<TokenId> propose(std::span<const TokenId> token_ids, const SpeculativeConfig& config) {
  require_lookup(config);

  if (token_ids.empty()) return {};

  const auto before = token_ids.first(token_ids.size() - 1);
  std::size_t num_same = std::min(config.prompt_lookup_max, before.size());
  for (; num_same >= config.prompt_lookup_min; --num_same) {
    const auto last = token_ids.last(num_same);
    const auto place = std::search(before.begin(), before.end(), last.begin(), last.end());
    if (place == before.end()) continue;

    const std::span<const TokenId> after(place + std::ssize(last), token_ids.end());
    const auto drafts = after.first(std::min(config.num_speculative_tokens, after.size()));
    return {drafts.begin(), drafts.end()};
  }
  return {};
}

std::vector<TokenId> accept_drafts(std::span<const TokenId> drafts,
                                   const std::function<TokenId(std::size_t)>& sample) {
  std::vector<TokenId> tokens = {sample(0)};
  for (const TokenId draft : drafts) {
    if (tokens.back() != draft) break;
    tokens.push_back(sample(tokens.size()));
  }
  return tokens;
}

void Scheduler::take_back_rejected(const SchedulerOutput& output,
                                   std::span<const std::vector<TokenId>> sampled_token_ids) {
  for (std::size_t i = 0; i < output.scheduled.size(); ++i) {
    const auto found = requests_.find(output.scheduled[i].request_id);
    if (found == requests_.end() || sampled_token_ids[i].empty()) continue;

    const ScheduledRequest& scheduled = output.scheduled[i];
    const std::size_t num_right = sampled_token_ids[i].size() - 1;
    const std::size_t num_rejected = scheduled.spec_token_ids.size() - num_right;
    const std::size_t num_most =
        scheduled.num_computed_tokens + scheduled.num_tokens - num_rejected;
    // It has fewer if it was preempted in the meantime, even if it has resumed since.
    std::size_t& num_computed_tokens = found->second.num_computed_tokens;
    num_computed_tokens = std::min(num_computed_tokens, num_most);
  }
}

}  // namespace kv

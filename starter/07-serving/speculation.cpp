#include "07-serving/speculation.h"

#include <algorithm>

#include "07-serving/scheduler.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

std::vector<TokenId> propose(std::span<const TokenId> token_ids, const SpeculativeConfig& config) {
  require_lookup(config);

  KV_TODO("7.14 propose");
}

std::vector<TokenId> accept_drafts(std::span<const TokenId> drafts,
                                   const std::function<TokenId(std::size_t)>& sample) {
  KV_TODO("7.15 accept_drafts");
}

void Scheduler::take_back_rejected(const SchedulerOutput& output,
                                   std::span<const std::vector<TokenId>> sampled_token_ids) {
  KV_TODO("7.16 take_back_rejected");
}

}  // namespace kv

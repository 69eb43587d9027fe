#include "07-serving/scheduler.h"

#include <algorithm>
#include <utility>

#include "07-serving/given/scheduler_checks.h"
#include "07-serving/scheduling_rules.h"
#include "kv/require.h"
#include "kv/todo.h"

namespace kv {

Scheduler::Scheduler(KVCacheManager& kv_cache_manager, const SchedulerConfig& config)
    : kv_cache_manager_(kv_cache_manager), config_(config), waiting_(config.policy) {
  require_schedulable(config, kv_cache_manager.block_pool());
}

void Scheduler::add_request(ServedRequest request) {
  require_servable(request, kv_cache_manager_.block_pool().block_size(), config_.max_model_len);
  require_in_vocabulary(request.token_ids, config_.vocab_size);
  KV_REQUIRE("I15: a request is added once", !requests_.contains(request.request_id));

  KV_TODO("7.1 add_request");
}

void Scheduler::finish_requests(std::span<const std::string> request_ids) {
  KV_TODO("7.2 finish_requests");
}

SchedulerOutput Scheduler::schedule() {
  Step step{.token_budget = config_.max_num_batched_tokens};
  KV_TODO("7.3 schedule");
}

void Scheduler::schedule_waiting(Step& step) {
  if (waiting_.empty()) return;

  KV_TODO("7.4 schedule_waiting");
}

void Scheduler::schedule_running(Step& step) {
  if (running_.empty()) return;

  KV_TODO("7.5 schedule_running");
}

void Scheduler::preempt_request(Step& step, ServedRequest& request) {
  KV_TODO("7.6 preempt_request");
}

std::vector<EngineCoreOutput> Scheduler::update_from_output(
    const SchedulerOutput& output, std::span<const std::vector<TokenId>> sampled_token_ids) {
  require_sampled(output, sampled_token_ids, requests_);
  if (has_drafts(output)) take_back_rejected(output, sampled_token_ids);

  KV_TODO("7.8 update_from_output");
}

// Given, from here on.
std::size_t Scheduler::num_tokens_left(const ServedRequest& request,
                                       std::size_t num_computed_tokens) const {
  const std::size_t num_most = config_.max_model_len - 1;  // the model samples the last token
  const std::size_t num_tokens = std::min(request.num_tokens_with_spec(), num_most);
  // Drafts of an earlier step count as computed, and are not known before its update.
  const std::size_t num_left = num_tokens - std::min(num_tokens, num_computed_tokens);
  const bool is_todays = kv_cache_manager_.rules() == Rules::kVllm033;
  const std::size_t threshold =
      is_todays ? threshold_among(config_, requests_.size()) : config_.long_prefill_token_threshold;
  return threshold == 0 ? num_left : std::min(num_left, threshold);
}

ServedRequest& Scheduler::take_victim(Step& step) {
  if (config_.policy == SchedulingPolicy::kFcfs) {
    ServedRequest& victim = *running_.back();
    running_.pop_back();
    return victim;
  }
  return take_least_urgent(step);
}

void Scheduler::forget(ServedRequest& request) {
  kv_cache_manager_.free(request);
  if (std::erase(running_, &request) == 0) waiting_.remove_request(request);
  finished_req_ids_.push_back(request.request_id);
  requests_.erase(requests_.find(request.request_id));
}

}  // namespace kv

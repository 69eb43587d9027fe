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

  request.num_prompt_tokens = request.token_ids.size();
  update_block_hashes(request);
  const std::string request_id = request.request_id;
  waiting_.add_request(requests_.emplace(request_id, std::move(request)).first->second);
}

void Scheduler::finish_requests(std::span<const std::string> request_ids) {
  for (const std::string& request_id : request_ids)
    if (has_request(request_id)) forget(requests_.at(request_id));
}

SchedulerOutput Scheduler::schedule() {
  Step step{.token_budget = config_.max_num_batched_tokens};
  schedule_running(step);
  if (step.output.preempted_req_ids.empty()) schedule_waiting(step);

  for (const ScheduledRequest& scheduled : step.output.scheduled)
    requests_.at(scheduled.request_id).num_computed_tokens += scheduled.num_tokens;

  if (!running_.empty()) {
    step.output.num_common_prefix_blocks =
        kv_cache_manager_.get_num_common_prefix_blocks(running_.front()->request_id);
  }
  step.output.finished_req_ids = std::exchange(finished_req_ids_, {});
  return std::move(step.output);
}

void Scheduler::schedule_waiting(Step& step) {
  if (waiting_.empty()) return;

  while (!waiting_.empty() && step.token_budget > 0 && running_.size() < config_.max_num_seqs) {
    ServedRequest& request = waiting_.peek_request();
    const ComputedBlocks hits = kv_cache_manager_.get_computed_blocks(request);
    const std::size_t num_left = num_tokens_left(request, hits.num_tokens);
    if (num_left > step.token_budget && !config_.enable_chunked_prefill) return;

    const std::size_t num_tokens = std::min(num_left, step.token_budget);
    const AllocateOptions options = {.new_computed_blocks = hits.blocks,
                                     .full_sequence_must_fit = config_.scheduler_reserve_full_isl};
    if (!allocate_slots(request, num_tokens, options)) return;

    waiting_.pop_request();
    running_.push_back(&request);
    request.num_computed_tokens = hits.num_tokens;
    const bool is_new = request.status == RequestStatus::kWaiting;
    request.status = RequestStatus::kRunning;
    step.add(request, is_new ? ScheduledAs::kNew : ScheduledAs::kResumed, num_tokens);
  }
}

void Scheduler::schedule_running(Step& step) {
  if (running_.empty()) return;

  while (step.next_running < running_.size() && step.token_budget > 0) {
    ServedRequest& request = *running_[step.next_running];
    const std::size_t num_tokens =
        std::min(num_tokens_left(request, request.num_computed_tokens), step.token_budget);
    if (num_tokens == 0) {
      ++step.next_running;
      continue;
    }

    while (!append_slots(step, request, num_tokens)) {
      ServedRequest& victim = take_victim(step);
      preempt_request(step, victim);
      if (&victim == &request) return schedule_after_own_victim(step);
    }

    step.add(request, ScheduledAs::kRunning, num_tokens);
    ++step.next_running;
  }
}

void Scheduler::preempt_request(Step& step, ServedRequest& request) {
  kv_cache_manager_.preempt(request);
  request.status = RequestStatus::kPreempted;
  ++request.num_preemptions;
  request.spec_token_ids.clear();

  waiting_.prepend_request(request);
  step.output.preempted_req_ids.push_back(request.request_id);
}

std::vector<EngineCoreOutput> Scheduler::update_from_output(
    const SchedulerOutput& output, std::span<const std::vector<TokenId>> sampled_token_ids) {
  require_sampled(output, sampled_token_ids, requests_);
  if (has_drafts(output)) take_back_rejected(output, sampled_token_ids);

  std::vector<EngineCoreOutput> outputs;
  for (std::size_t i = 0; i < output.scheduled.size(); ++i) {
    const auto found = requests_.find(output.scheduled[i].request_id);
    if (found == requests_.end() || sampled_token_ids[i].empty()) continue;

    ServedRequest& request = found->second;
    EngineCoreOutput& answer = outputs.emplace_back();
    answer.request_id = request.request_id;
    for (const TokenId& token : sampled_token_ids[i]) {
      append_output_token_ids(request, {&token, 1});
      answer.new_token_ids.push_back(token);
      answer.finish_reason = check_stop(request, config_.max_model_len);
      if (answer.finish_reason) break;
    }
    if (answer.finish_reason) forget(request);
  }
  return outputs;
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

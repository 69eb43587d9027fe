#include "07-serving/scheduler.h"

#include <algorithm>
#include <utility>

#include "07-serving/given/scheduler_checks.h"
#include "07-serving/scheduling_rules.h"
#include "kv/require.h"

namespace kv {

Scheduler::Scheduler(KVCacheManager& kv_cache_manager, const SchedulerConfig& config)
    : kv_cache_manager_(kv_cache_manager), config_(config), waiting_(config.policy) {
  require_schedulable(config, kv_cache_manager.block_pool());
}

void Scheduler::add_request(ServedRequest request) {
  require_servable(request, kv_cache_manager_.block_pool().block_size(), config_.max_model_len);
  require_in_vocabulary(request.token_ids, config_.vocab_size);
  KV_REQUIRE("I15: a request is added once", !requests_.contains(request.request_id));

  ServedRequest& kept = requests_[request.request_id];
  kept = std::move(request);
  kept.num_prompt_tokens = kept.token_ids.size();
  update_block_hashes(kept);
  waiting_.add_request(kept);
}

void Scheduler::finish_requests(std::span<const std::string> request_ids) {
  for (const std::string& request_id : request_ids) {
    const auto found = requests_.find(request_id);
    if (found == requests_.end()) continue;
    const bool is_running = found->second.status == RequestStatus::kRunning;
    if (is_running) kv_cache_manager_.free(found->second);
    if (is_running) running_.erase(std::ranges::find(running_, &found->second));
    if (!is_running) waiting_.remove_request(found->second);
    finished_req_ids_.push_back(request_id);
    requests_.erase(found);
  }
}

SchedulerOutput Scheduler::schedule() {
  Step step{.token_budget = config_.max_num_batched_tokens};
  step.output.finished_req_ids.swap(finished_req_ids_);
  schedule_running(step);
  if (step.output.preempted_req_ids.empty()) schedule_waiting(step);
  const std::string request_id = running_.empty() ? "" : running_.back()->request_id;
  step.output.num_common_prefix_blocks = kv_cache_manager_.get_num_common_prefix_blocks(request_id);
  return step.output;
}

// The tokens of a request are counted as computed when they are scheduled; a victim starts over
// anyway.
void Scheduler::schedule_waiting(Step& step) {
  for (; !waiting_.empty(); waiting_.remove_request(*running_.back())) {
    if (step.token_budget == 0 || running_.size() == config_.max_num_seqs) return;
    ServedRequest& request = waiting_.peek_request();
    const auto [blocks, num_hit_tokens] = kv_cache_manager_.get_computed_blocks(request);
    std::size_t num_tokens = num_tokens_left(request, num_hit_tokens);
    if (num_tokens > step.token_budget) {
      if (!config_.enable_chunked_prefill) return;
      num_tokens = step.token_budget;
    }
    if (!allocate_slots(request, num_tokens, {blocks, 0, config_.scheduler_reserve_full_isl}))
      return;
    request.num_computed_tokens = num_hit_tokens;
    step.add(request, request.num_preemptions == 0 ? ScheduledAs::kNew : ScheduledAs::kResumed,
             num_tokens);
    request.num_computed_tokens += num_tokens;
    request.status = RequestStatus::kRunning;
    running_.push_back(&request);
  }
}

void Scheduler::schedule_running(Step& step) {
  for (; step.next_running < running_.size(); ++step.next_running) {
    ServedRequest& request = *running_[step.next_running];
    const std::size_t num_left = num_tokens_left(request, request.num_computed_tokens);
    const std::size_t num_tokens = std::min(step.token_budget, num_left);
    if (num_tokens == 0) continue;

    bool has_blocks = append_slots(step, request, num_tokens);
    while (!has_blocks) {
      preempt_request(step, take_victim(step));
      if (request.status == RequestStatus::kPreempted) return schedule_after_own_victim(step);
      has_blocks = append_slots(step, request, num_tokens);
    }
    step.add(request, ScheduledAs::kRunning, num_tokens);
    request.num_computed_tokens += num_tokens;
  }
}

void Scheduler::preempt_request(Step& step, ServedRequest& request) {
  step.output.preempted_req_ids.push_back(request.request_id);
  request.num_preemptions += 1;
  request.status = RequestStatus::kPreempted;
  request.num_computed_tokens = 0;
  kv_cache_manager_.free(request);
  waiting_.prepend_request(request);
}

// All tokens first, then the ends.
std::vector<EngineCoreOutput> Scheduler::update_from_output(
    const SchedulerOutput& output, std::span<const std::vector<TokenId>> sampled_token_ids) {
  require_sampled(output, sampled_token_ids, requests_);
  if (has_drafts(output)) take_back_rejected(output, sampled_token_ids);

  std::vector<EngineCoreOutput> outputs;
  std::vector<std::string> ended;
  for (std::size_t i = 0; i < output.scheduled.size(); ++i) {
    const std::string& request_id = output.scheduled[i].request_id;
    if (sampled_token_ids[i].empty() || !has_request(request_id)) continue;
    ServedRequest& request = requests_.at(request_id);
    std::optional<FinishReason> reason;
    std::vector<TokenId> given;
    for (std::size_t n = 0; n < sampled_token_ids[i].size() && !reason; ++n) {
      given.push_back(sampled_token_ids[i][n]);
      append_output_token_ids(request, std::span(given).last(1));
      reason = check_stop(request, config_.max_model_len);
    }
    outputs.push_back({request_id, given, reason});
    if (reason) ended.push_back(request_id);
  }
  finish_requests(ended);
  return outputs;
}

std::size_t Scheduler::num_tokens_left(const ServedRequest& request,
                                       std::size_t num_computed_tokens) const {
  const std::size_t end = std::min(request.num_tokens_with_spec(), config_.max_model_len - 1);
  if (end <= num_computed_tokens) return 0;
  const std::size_t num_left = end - num_computed_tokens;
  const std::size_t threshold = kv_cache_manager_.rules() == Rules::kVllm022
                                    ? config_.long_prefill_token_threshold
                                    : threshold_among(config_, requests_.size());
  return threshold > 0 && threshold < num_left ? threshold : num_left;
}

ServedRequest& Scheduler::take_victim(Step& step) {
  if (config_.policy == SchedulingPolicy::kPriority) return take_least_urgent(step);
  ServedRequest* victim = running_.back();
  running_.pop_back();
  return *victim;
}

}  // namespace kv

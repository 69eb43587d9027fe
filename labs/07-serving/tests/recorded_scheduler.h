#pragma once
// A scheduler that records each call, and the state after it, in the words of scheduler_state.h.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/tests/scheduler_state.h"

namespace kv::grader {

using Tokens = std::vector<TokenId>;

// What a request brings besides its prompt.
struct RequestOptions {
  SamplingParams sampling_params = {};
  int priority = 0;
  double arrival_time = 0;
  std::string cache_salt = {};
  bool skip_reading_prefix_cache = false;
};

inline RequestOptions urgent(int priority, double arrival_time = 0) {
  return {.sampling_params = {}, .priority = priority, .arrival_time = arrival_time};
}

struct ExpectedStep {
  Names scheduled = {};
  Names preempted = {};
  Names finished = {};
};

// The tokens that the model samples, by request.
using Sampled = std::map<std::string, Tokens>;

class RecordedScheduler : public PoolExpectations {
 public:
  explicit RecordedScheduler(const SchedulerSizes& sizes)
      : manager_(sizes.num_gpu_blocks,
                 sizes.block_size,
                 sizes.num_tokens(),
                 sizes.enable_caching,
                 sizes.rules),
        scheduler_(manager_, sizes.config()) {
    if (!is_recording()) return;
    const std::string sentence =
        "{0} blocks of {1} tokens; a step of {2} tokens and {3} requests" + text_of(sizes);
    log_start("scheduler", {"Scheduler(num_gpu_blocks, block_size, tokens, requests)", sentence},
              sizes.num_gpu_blocks, sizes.block_size, sizes.max_num_batched_tokens,
              sizes.max_num_seqs);
    log(state());
  }

  Scheduler& raw() { return scheduler_; }
  KVCacheManager& manager() { return manager_; }
  BlockPool& pool() override { return manager_.block_pool(); }
  const ServedRequest& request(const std::string& name) const { return scheduler_.request(name); }
  // What the last calls gave.
  const SchedulerOutput& step() const { return step_; }
  const std::vector<EngineCoreOutput>& outputs() const { return outputs_; }

  ServedRequest request_of(const std::string& name,
                           const Tokens& token_ids,
                           const RequestOptions& options = {}) {
    const std::size_t block_size = pool().block_size();
    ServedRequest request{{.request_id = name, .block_size = block_size, .token_ids = token_ids}};
    request.sampling_params = options.sampling_params;
    request.priority = options.priority;
    request.arrival_time = options.arrival_time;
    request.cache_salt = options.cache_salt;
    request.skip_reading_prefix_cache = options.skip_reading_prefix_cache;
    return request;
  }
  void add(const std::string& name, const Tokens& token_ids, const RequestOptions& options = {}) {
    add(request_of(name, token_ids, options));
  }
  void add(const ServedRequest& request) {
    log_add(request);
    names_.push_back(request.request_id);
    scheduler_.add_request(request);
    expect_own_requests();
    log_return();
  }
  void expect_add_refused(const ServedRequest& request, const char* why) {
    log_add(request);
    expect_refused(*this, why, [&] { scheduler_.add_request(request); });
  }

  void finish(const Names& names) {
    log_step({"finish_requests(request_ids)", "finish_requests({0})"}, joined(names));
    scheduler_.finish_requests(names);
    log_return();
  }

  void expect_fork(const std::string& parent,
                   const std::string& child,
                   bool expected = true,
                   const SamplingParams& params = {}) {
    log_fork(parent, child);
    names_.push_back(child);
    const bool is_forked = scheduler_.fork_request(parent, child, params);
    expect_own_requests();
    log_return(is_forked ? "true" : "false");
    expect_same("fork_request to give", expected, is_forked);
  }
  void expect_fork_refused(const std::string& parent,
                           const std::string& child,
                           const char* why,
                           const SamplingParams& params = {}) {
    log_fork(parent, child);
    expect_refused(*this, why, [&] { scheduler_.fork_request(parent, child, params); });
  }

  const SchedulerOutput& schedule() {
    log_step({"schedule()", "schedule()"});
    step_ = scheduler_.schedule();
    log_return(draw_step(step_));
    return step_;
  }
  void expect_step(const ExpectedStep& expected) {
    schedule();
    expect_same("the step to be", expected.scheduled, scheduled_by(step_));
    expect_same("preempted_req_ids to be", expected.preempted, step_.preempted_req_ids);
    expect_same("finished_req_ids to be", sorted(expected.finished),
                sorted(step_.finished_req_ids));
    std::size_t num_tokens = 0;
    for (const ScheduledRequest& scheduled : step_.scheduled) num_tokens += scheduled.num_tokens;
    EXPECT_HOLDS(num_tokens <= scheduler_.config().max_num_batched_tokens)
        << "I14: a step computes at most max_num_batched_tokens tokens, yours " << num_tokens;
  }
  void expect_copies(const Names& expected) {
    expect_same("blocks_to_copy to be", expected, copies_of(step_));
  }
  void expect_common(std::size_t expected) {
    expect_same("num_common_prefix_blocks to be", expected, step_.num_common_prefix_blocks);
  }

  // The model has computed the last step.
  void expect_update(const Sampled& sampled, const Names& expected) {
    expect_update(step_, sampled, expected);
  }
  void expect_update(const SchedulerOutput& step, const Sampled& sampled, const Names& expected) {
    update(step, sampled);
    expect_same("update_from_output to give", expected, outputs_of(outputs_));
  }
  void update(const SchedulerOutput& step, const Sampled& sampled) {
    const auto sampled_token_ids = lists_of(step, sampled);
    log_step({"update_from_output(sampled_token_ids)", "update_from_output({0})"},
             draw_sampled(sampled));
    outputs_ = scheduler_.update_from_output(step, sampled_token_ids);
    log_return(draw_outputs(outputs_));
  }
  void expect_update_refused(const SchedulerOutput& step,
                             const std::vector<Tokens>& sampled_token_ids,
                             const char* why) {
    log_step("update_from_output, with " + std::to_string(sampled_token_ids.size()) + " lists");
    expect_refused(*this, why, [&] { scheduler_.update_from_output(step, sampled_token_ids); });
  }

  void expect_waiting(const Names& expected) {
    log_expectation({"waiting(request_ids)", ""}, expected);
    expect_same("waiting", expected, names_of(scheduler_.waiting()));
  }
  void expect_running(const Names& expected) {
    log_expectation({"running(request_ids)", ""}, expected);
    expect_same("running", expected, names_of(scheduler_.running()));
  }
  Ids table(const std::string& name) const { return ids_of(manager_.get_blocks(name).blocks()); }
  void expect_table(const std::string& name, const Ids& expected) {
    log_expectation({"table(request_id, blocks)", ""}, name, expected);
    expect_same("the table of " + name + " to be", expected, table(name));
  }

  // The invariants of the pool, I12 over all tables, and those of the queues.
  void audit() {
    PoolExpectations::audit();
    for (const auto& broken : {broken_table_invariant(pool(), tables()),
                               broken_queue_invariant(scheduler_, manager_, names_)}) {
      if (broken) ADD_FAILURE() << "broken invariant " << *broken;
    }
  }

  // For expect_refused.
  SchedulerState state() {
    return {{state_of(pool()), tables()},
            progress_of(scheduler_.waiting()),
            progress_of(scheduler_.running())};
  }
  void log(const SchedulerState& state) {
    log_state("waiting", state.waiting);
    log_state("running", state.running);
    log_pool_state(state.manager.pool);
    for (const auto& [name, ids] : state.manager.tables) log_detail("block_tables." + name, ids);
  }
  void expect_unchanged(const SchedulerState& before) {
    if (state() == before) return;
    ADD_FAILURE() << "the call changed\n  " << draw(before) << " to\n  " << draw(state());
  }

 private:
  static std::string text_of(const SchedulerSizes& sizes) {
    const auto number = [](std::size_t num) { return std::to_string(num); };
    std::string text;
    if (sizes.max_model_len > 0) text += ", max_model_len " + number(sizes.max_model_len);
    if (sizes.long_prefill_token_threshold > 0)
      text += ", threshold " + number(sizes.long_prefill_token_threshold);
    if (!sizes.enable_chunked_prefill) text += ", no chunked prefill";
    if (sizes.scheduler_reserve_full_isl) text += ", the whole prompt must fit";
    if (sizes.policy == SchedulingPolicy::kPriority) text += ", by priority";
    if (!sizes.enable_caching) text += ", caching off";
    if (sizes.rules == Rules::kVllm033) text += ", rules of vLLM 0.33";
    if (sizes.watermark > 0)
      text += ", watermark " + number(static_cast<std::size_t>(sizes.watermark * 100)) + " %";
    if (sizes.reserve_prefills) text += ", prompts have a reserve";
    return text;
  }

  static std::string draw_sampled(const Sampled& sampled) {
    Names texts;
    for (const auto& [name, tokens] : sampled) texts.push_back(name + " " + draw(tokens));
    return joined(texts, ", ");
  }
  static std::vector<Tokens> lists_of(const SchedulerOutput& step, const Sampled& sampled) {
    std::vector<Tokens> lists;
    for (const ScheduledRequest& scheduled : step.scheduled) {
      const auto found = sampled.find(scheduled.request_id);
      lists.push_back(found == sampled.end() ? Tokens{} : found->second);
    }
    return lists;
  }

  void log_add(const ServedRequest& request) {
    const std::string sentence =
        "add_request({0}, tokens {1})" +
        (request.priority == 0 ? "" : ", priority " + std::to_string(request.priority)) +
        (request.cache_salt.empty() ? "" : ", salt " + request.cache_salt) +
        (request.skip_reading_prefix_cache ? ", reads no cached blocks" : "");
    log_step({"add_request(request_id, token_ids)", sentence}, request.request_id,
             request.token_ids);
  }

  void expect_own_requests() {
    if (queues_have_own_requests(scheduler_, names_)) return;
    fail_now(
        "a queue points to a request that the scheduler does not have: to a parameter or a local "
        "variable, which is gone by now? Queue the one in requests_");
  }

  static void log_fork(const std::string& parent, const std::string& child) {
    log_step({"fork_request(parent_id, child_id)", "fork_request({0}, {1})"}, parent, child);
  }

  Tables tables() {
    Tables tables;
    for (const std::string& name : names_) {
      const Ids ids = table(name);
      if (!ids.empty()) tables[name] = ids;
    }
    return tables;
  }

  // Why the state first: log_pool_return says.
  template <class... Result>
  void log_return(const Result&... result) {
    if (!is_recording()) return;
    if (!may_look()) return log_result_only(result...);
    const SchedulerState now = state();
    log_result(result...);
    log(now);
  }

  KVCacheManager manager_;
  Scheduler scheduler_;
  SchedulerOutput step_;
  std::vector<EngineCoreOutput> outputs_;
  Names names_;  // all requests that were added
};

}  // namespace kv::grader

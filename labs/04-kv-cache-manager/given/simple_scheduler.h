#pragma once
// A scheduler of one page: what calls the manager, and what it does when the answer is "no blocks".
// Continuous batching: in each step running requests go on first, then waiting ones start. When a
// running request gets no block, the one that started last is preempted and waits at the front.
//
// You write the whole one in lab 07. It has functions of the same names, and besides what is here:
// aborts, stop rules, more limits of a step, priorities.
//
// vLLM: Scheduler.schedule in vllm/v1/core/sched/scheduler.py

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "04-kv-cache-manager/kv_cache_manager.h"
#include "kv/require.h"

namespace kv {

class SimpleScheduler {
 public:
  struct RunningRequest {
    Request request;
    std::size_t num_tokens_at_end;  // prompt and output
  };
  struct ScheduledRequest {
    std::string request_id;
    std::size_t num_tokens;  // that the model computes in this step
    std::size_t num_hit_tokens;
  };

  // num_blocks_left_free: by the admission of a request while others run.
  SimpleScheduler(KVCacheManager& manager,
                  std::size_t max_num_batched_tokens,
                  std::size_t max_num_seqs,
                  std::size_t num_blocks_left_free = 0)
      : manager_(manager),
        max_num_batched_tokens_(max_num_batched_tokens),
        max_num_seqs_(max_num_seqs),
        num_blocks_left_free_(num_blocks_left_free) {}

  const std::vector<RunningRequest>& running() const { return running_; }
  bool has_requests() const { return !running_.empty() || !waiting_.empty(); }
  std::size_t num_preemptions() const { return num_preemptions_; }

  // Misuse: a request that would not fit into the pool if it were alone is refused.
  void add_request(Request request, std::size_t num_output_tokens) {
    const std::size_t num_tokens = request.token_ids.size() + num_output_tokens;
    const std::size_t num_slots = (manager_.block_pool().blocks().size() - 1) * request.block_size;
    KV_REQUIRE("a request fits into the pool",
               !request.token_ids.empty() && num_output_tokens > 0 && num_tokens <= num_slots);
    update_block_hashes(request);
    waiting_.push_back({std::move(request), num_tokens});
  }

  // Which requests the model computes in this step, and how many tokens of each.
  std::vector<ScheduledRequest> schedule() {
    Step step{.token_budget = max_num_batched_tokens_};
    const std::size_t num_preemptions_before = num_preemptions_;
    schedule_running(step);
    if (num_preemptions_ == num_preemptions_before) schedule_waiting(step);
    return std::move(step.scheduled);
  }

  // The model has computed the step. next_token: of a request, the token that it samples.
  template <class NextToken>
  void update_from_output(const std::vector<ScheduledRequest>& scheduled, NextToken next_token) {
    for (const auto& [request_id, num_tokens, num_hit_tokens] : scheduled) {
      const auto at = std::ranges::find(running_, request_id, [](const RunningRequest& running) {
        return running.request.request_id;
      });
      Request& request = at->request;
      request.num_computed_tokens += num_hit_tokens + num_tokens;
      if (num_tokens_left(request, request.num_computed_tokens) > 0) continue;  // a chunk

      append_output_token_ids(request, std::vector<TokenId>{next_token(request)});
      if (request.token_ids.size() < at->num_tokens_at_end) continue;
      manager_.free(request);
      running_.erase(at);
    }
  }

 private:
  struct Step {
    std::size_t token_budget;  // tokens that it still has room for
    std::vector<ScheduledRequest> scheduled = {};

    void add(const Request& request, std::size_t num_tokens, std::size_t num_hit_tokens) {
      scheduled.push_back({request.request_id, num_tokens, num_hit_tokens});
      token_budget -= num_tokens;
    }
  };

  static std::size_t num_tokens_left(const Request& request, std::size_t num_computed_tokens) {
    return request.token_ids.size() - num_computed_tokens;
  }

  void schedule_running(Step& step) {
    for (std::size_t i = 0; i < running_.size() && step.token_budget > 0; ++i) {
      const Request& request = running_[i].request;
      const std::size_t num_tokens =
          std::min(step.token_budget, num_tokens_left(request, request.num_computed_tokens));
      while (i < running_.size() && !manager_.allocate_slots(request, num_tokens))
        preempt_last_request();
      if (i == running_.size()) return;  // it was the last one itself
      step.add(request, num_tokens, 0);
    }
  }

  void schedule_waiting(Step& step) {
    while (!waiting_.empty() && running_.size() < max_num_seqs_ && step.token_budget > 0) {
      const Request& request = waiting_.front().request;
      const ComputedBlocks hits = manager_.get_computed_blocks(request);
      const std::size_t num_tokens =
          std::min(step.token_budget, num_tokens_left(request, hits.num_tokens));
      const AllocateOptions options{.new_computed_blocks = hits.blocks};
      if (!leaves_enough_free(request, num_tokens, options) ||
          !manager_.allocate_slots(request, num_tokens, options))
        return;  // it waits, and nothing has changed
      step.add(request, num_tokens, hits.num_tokens);
      running_.push_back(std::move(waiting_.front()));
      waiting_.pop_front();
    }
  }

  bool leaves_enough_free(const Request& request,
                          std::size_t num_tokens,
                          const AllocateOptions& options) const {
    if (num_blocks_left_free_ == 0 || running_.empty()) return true;
    const std::size_t num_blocks =
        manager_.get_num_blocks_to_allocate(request, num_tokens, options);
    return num_blocks + num_blocks_left_free_ <= manager_.block_pool().get_num_free_blocks();
  }

  void preempt_last_request() {
    manager_.preempt(running_.back().request);
    waiting_.push_front(std::move(running_.back()));
    running_.pop_back();
    ++num_preemptions_;
  }

  KVCacheManager& manager_;
  std::size_t max_num_batched_tokens_;
  std::size_t max_num_seqs_;
  std::size_t num_blocks_left_free_;
  std::size_t num_preemptions_ = 0;
  std::vector<RunningRequest> running_;  // in the order in which they started
  std::deque<RunningRequest> waiting_;
};

}  // namespace kv

#pragma once
// A scheduler of one page: what calls the manager, and what it does when the answer is "no blocks".
// Continuous batching: in each step running requests go on first, then waiting ones start. When a
// running request gets no block, the one that started last is preempted and waits at the front.
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

class Scheduler {
 public:
  struct Running {
    Request request;
    std::size_t num_tokens_at_end;  // prompt and output
  };
  struct Scheduled {
    std::string request_id;
    std::size_t num_tokens;  // that the model computes in this step
    std::size_t num_hit_tokens;
  };

  Scheduler(KVCacheManager& manager, std::size_t max_num_batched_tokens, std::size_t max_num_seqs)
      : manager_(manager),
        max_num_batched_tokens_(max_num_batched_tokens),
        max_num_seqs_(max_num_seqs) {}

  const std::vector<Running>& running() const { return running_; }
  bool has_requests() const { return !running_.empty() || !waiting_.empty(); }
  std::size_t num_preemptions() const { return num_preemptions_; }

  // Misuse: a request that would not fit into the pool if it were alone is refused.
  void add(Request request, std::size_t num_output_tokens) {
    const std::size_t num_tokens = request.token_ids.size() + num_output_tokens;
    const std::size_t num_slots = (manager_.block_pool().blocks().size() - 1) * request.block_size;
    KV_REQUIRE("a request fits into the pool",
               !request.token_ids.empty() && num_output_tokens > 0 && num_tokens <= num_slots);
    update_block_hashes(request);
    waiting_.push_back({std::move(request), num_tokens});
  }

  // Which requests the model computes in this step, and how many tokens of each.
  std::vector<Scheduled> schedule() {
    std::vector<Scheduled> step;
    std::size_t room = max_num_batched_tokens_;
    const std::size_t num_preemptions_before = num_preemptions_;
    for (std::size_t i = 0; i < running_.size() && room > 0; ++i) {
      const Request& request = running_[i].request;
      const std::size_t num_new = std::min(room, num_left(request, 0));
      while (i < running_.size() && !manager_.allocate_slots(request, num_new)) preempt_latest();
      if (i == running_.size()) break;  // it was the latest itself
      step.push_back({request.request_id, num_new, 0});
      room -= num_new;
    }
    if (num_preemptions_ != num_preemptions_before) return step;
    while (!waiting_.empty() && running_.size() < max_num_seqs_ && room > 0) {
      if (!start_next(step, room)) break;
    }
    return step;
  }

  // The model has computed the step. next_token: of a request, the token that it samples.
  template <class NextToken>
  void update(const std::vector<Scheduled>& step, NextToken next_token) {
    for (const auto& [request_id, num_tokens, num_hit_tokens] : step) {
      const auto at = std::ranges::find(running_, request_id,
                                        [](const Running& it) { return it.request.request_id; });
      Request& request = at->request;
      request.num_computed_tokens += num_hit_tokens + num_tokens;
      if (num_left(request, 0) > 0) continue;  // a chunk of the prompt: nothing to sample yet
      append_output_token_ids(request, std::vector<TokenId>{next_token(request)});
      if (request.token_ids.size() < at->num_tokens_at_end) continue;
      manager_.free(request);
      running_.erase(at);
    }
  }

 private:
  static std::size_t num_left(const Request& request, std::size_t num_hit_tokens) {
    return request.token_ids.size() - request.num_computed_tokens - num_hit_tokens;
  }

  bool start_next(std::vector<Scheduled>& step, std::size_t& room) {
    const Request& request = waiting_.front().request;
    const ComputedBlocks found = manager_.get_computed_blocks(request);
    const std::size_t num_new = std::min(room, num_left(request, found.num_tokens));
    if (!manager_.allocate_slots(request, num_new, {.new_computed_blocks = found.blocks})) {
      return false;  // it waits, and nothing has changed
    }
    step.push_back({request.request_id, num_new, found.num_tokens});
    room -= num_new;
    running_.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
    return true;
  }

  void preempt_latest() {
    manager_.preempt(running_.back().request);
    waiting_.push_front(std::move(running_.back()));
    running_.pop_back();
    ++num_preemptions_;
  }

  KVCacheManager& manager_;
  std::size_t max_num_batched_tokens_;
  std::size_t max_num_seqs_;
  std::size_t num_preemptions_ = 0;
  std::vector<Running> running_;  // in the order in which they started
  std::deque<Running> waiting_;
};

}  // namespace kv

#pragma once
// The state of a scheduler: its queues and its manager's state; and whether it is one that the
// contract allows.

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "04-kv-cache-manager/tests/manager_state.h"
#include "07-serving/tests/scheduler_view.h"

namespace kv::grader {

struct SchedulerSizes {
  std::size_t num_gpu_blocks = 20;
  std::size_t block_size = 4;
  std::size_t max_num_batched_tokens = 100;
  std::size_t max_num_seqs = 8;
  std::size_t max_model_len = 0;  // 0: as many tokens as there are slots
  std::size_t long_prefill_token_threshold = 0;
  bool enable_chunked_prefill = true;
  bool scheduler_reserve_full_isl = false;
  SchedulingPolicy policy = SchedulingPolicy::kFcfs;
  bool enable_caching = true;
  std::size_t vocab_size = 0;
  Rules rules = Rules::kVllm022;
  double watermark = 0;
  bool reserve_prefills = false;

  std::size_t num_tokens() const {
    return max_model_len > 0 ? max_model_len : (num_gpu_blocks - 1) * block_size;
  }
  SchedulerConfig config() const {
    return {.max_num_batched_tokens = max_num_batched_tokens,
            .max_num_seqs = max_num_seqs,
            .max_model_len = num_tokens(),
            .long_prefill_token_threshold = long_prefill_token_threshold,
            .enable_chunked_prefill = enable_chunked_prefill,
            .scheduler_reserve_full_isl = scheduler_reserve_full_isl,
            .watermark = watermark,
            .reserve_prefills = reserve_prefills,
            .policy = policy,
            .vocab_size = vocab_size};
  }
};

struct SchedulerState {
  ManagerState manager;
  Names waiting;
  Names running;

  friend bool operator==(const SchedulerState&, const SchedulerState&) = default;
};

inline std::string draw(const SchedulerState& state) {
  return "waiting [" + joined(state.waiting, ", ") + "], running [" + joined(state.running, ", ") +
         "], " + draw(state.manager);
}

// Whether each pointer in the queues is to a request that the scheduler has. Why this has to be
// asked first: a request that is gone has any id and any tokens. names: of all requests that there
// have been.
inline bool queues_have_own_requests(const Scheduler& scheduler, const Names& names) {
  std::set<const ServedRequest*> own;
  for (const std::string& name : names)
    if (scheduler.has_request(name)) own.insert(&scheduler.request(name));
  const auto is_own = [&](const ServedRequest* request) { return own.contains(request); };
  return std::ranges::all_of(scheduler.waiting(), is_own) &&
         std::ranges::all_of(scheduler.running(), is_own);
}

// I14 or I15 in the contract's words if it is broken; nullopt if both hold. names: of all requests
// that there have been.
inline std::optional<std::string> broken_queue_invariant(const Scheduler& scheduler,
                                                         const KVCacheManager& manager,
                                                         const Names& names) {
  if (scheduler.running().size() > scheduler.config().max_num_seqs)
    return "I14: at most max_num_seqs requests run, but " +
           std::to_string(scheduler.running().size()) + " do";
  const Names waiting = names_of(scheduler.waiting()), running = names_of(scheduler.running());
  for (const std::string& name : names) {
    const auto num_waiting = std::ranges::count(waiting, name);
    const auto num_running = std::ranges::count(running, name);
    const int expected = scheduler.has_request(name) ? 1 : 0;
    if (num_waiting + num_running != expected)
      return "I15: a request is either waiting or running, but " + name + " is in the queues " +
             std::to_string(num_waiting + num_running) + " times";
    if (num_running == 0 && manager.get_blocks(name).num_blocks() > 0)
      return "I15: only running requests have blocks, but " + name + " has some";
    if (expected == 0) continue;
    const bool is_running = scheduler.request(name).status == RequestStatus::kRunning;
    if (is_running != (num_running == 1)) return "I15: the status of " + name + " is another one";
  }
  return std::nullopt;
}

}  // namespace kv::grader

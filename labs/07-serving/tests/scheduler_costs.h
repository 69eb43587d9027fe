#pragma once
// The cost of a call beside many requests, and of each request, token or id of a list.

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "07-serving/model_input.h"
#include "07-serving/scheduler.h"
#include "07-serving/speculation.h"
#include "grader/harness/cost.h"

namespace kv::grader {

inline ServedRequest request_with(const std::string& id, std::size_t num_tokens) {
  ServedRequest request{
      {.request_id = id, .block_size = 1, .token_ids = std::vector<TokenId>(num_tokens)}};
  std::iota(request.token_ids.begin(), request.token_ids.end(), 0);
  return request;
}

// A scheduler of blocks of one token. No block is cached, so requests with the same tokens share
// none.
class CostlyScheduler {
 public:
  explicit CostlyScheduler(std::size_t num_blocks,
                           std::size_t max_num_seqs = 1'000'000,
                           std::size_t threshold = 0,
                           SchedulingPolicy policy = SchedulingPolicy::kFcfs)
      : manager(num_blocks + 1, 1, num_blocks, false),
        scheduler(manager,
                  {.max_num_batched_tokens = 10'000'000,
                   .max_num_seqs = max_num_seqs,
                   .max_model_len = num_blocks,
                   .long_prefill_token_threshold = threshold,
                   .policy = policy}) {}

  // "0", "1", ...: requests of one token.
  void add_many(std::size_t num_requests) {
    for (std::size_t i = 0; i < num_requests; ++i)
      scheduler.add_request(request_with(std::to_string(i), 1));
  }
  Cost cost_of_adding(ServedRequest request) {
    return cost_of([&] { scheduler.add_request(std::move(request)); });
  }

  KVCacheManager manager;
  Scheduler scheduler;
};

inline Cost cost_of_adding_beside(std::size_t num_waiting) {
  CostlyScheduler made(100);
  made.add_many(num_waiting);
  return cheaper_of(made.cost_of_adding(request_with("A", 3)),
                    made.cost_of_adding(request_with("B", 3)));
}

inline Cost cost_of_each_prompt_token(std::size_t num_tokens) {
  CostlyScheduler made(2 * num_tokens);
  return share_with_allocations(made.cost_of_adding(request_with("A", num_tokens)), num_tokens);
}

// The cost of aborting the last one that waits, for each that waits before it.
inline Cost cost_of_each_waiting(std::size_t num_waiting) {
  CostlyScheduler made(100);
  made.add_many(num_waiting);
  const std::vector<std::string> last = {std::to_string(num_waiting - 1)};
  return share_with_allocations(cost_of([&] { made.scheduler.finish_requests(last); }),
                                num_waiting);
}

// The cost of aborting a request of 20 blocks, beside the blocks of another one.
inline Cost cost_of_aborting_beside(std::size_t num_blocks) {
  CostlyScheduler made(2 * num_blocks + 100);
  made.scheduler.add_request(request_with("A", num_blocks));
  made.scheduler.add_request(request_with("B", 20));
  made.scheduler.schedule();
  const std::vector<std::string> aborted = {"B"};
  return cost_of([&] { made.scheduler.finish_requests(aborted); });
}

// The cost of a step in which A needs 30 blocks, ten are free, and V with its 20 is preempted.
inline Cost cost_of_preempting_beside(std::size_t num_waiting) {
  CostlyScheduler made(61, 2, 30);
  made.scheduler.add_request(request_with("A", 60));
  made.scheduler.add_request(request_with("V", 20));
  made.add_many(num_waiting);
  made.scheduler.schedule();
  return cost_of([&] { made.scheduler.schedule(); });
}

// The cost of a step in which V loses its blocks, for each of them. A's prompt takes all others.
inline Cost cost_of_each_block_of_a_victim(std::size_t num_blocks) {
  CostlyScheduler made(2 * num_blocks, 2, num_blocks);
  made.scheduler.add_request(request_with("A", num_blocks + 1));
  made.scheduler.add_request(request_with("V", num_blocks));
  made.scheduler.schedule();
  return share_with_allocations(cost_of([&] { made.scheduler.schedule(); }), num_blocks);
}

inline ServedRequest with_stop_tokens(std::size_t num_tokens, std::size_t num_stops) {
  ServedRequest request = request_with("A", num_tokens);
  request.num_prompt_tokens = 1;
  request.sampling_params.max_tokens = 10 * num_tokens;
  request.sampling_params.stop_token_ids.assign(num_stops, -1);
  return request;
}
inline Cost cost_of_stopping(std::size_t num_tokens) {
  const ServedRequest request = with_stop_tokens(num_tokens, 10);
  return cost_of([&] { check_stop(request, 100 * num_tokens); });
}
inline Cost cost_of_each_stop_token(std::size_t num_stops) {
  const ServedRequest request = with_stop_tokens(10, num_stops);
  return share(cost_of([&] { check_stop(request, 1'000); }), num_stops);
}

// One token for each of that many requests that run.
inline Cost cost_of_each_update(std::size_t num_requests) {
  CostlyScheduler made(4 * num_requests);
  made.add_many(num_requests);
  const SchedulerOutput step = made.scheduler.schedule();
  const std::vector<std::vector<TokenId>> sampled(num_requests, {7});
  return share_with_allocations(cost_of([&] { made.scheduler.update_from_output(step, sampled); }),
                                num_requests);
}

// A token for one request that runs.
inline Cost cost_of_update_beside(std::size_t num_waiting) {
  CostlyScheduler made(100, 1);
  made.scheduler.add_request(request_with("A", 3));
  made.add_many(num_waiting);
  const SchedulerOutput step = made.scheduler.schedule();
  const std::vector<std::vector<TokenId>> sampled = {{7}};
  return cost_of([&] { made.scheduler.update_from_output(step, sampled); });
}

// The end of a request of one block, beside the blocks of another one.
inline Cost cost_of_ending_beside(std::size_t num_blocks) {
  CostlyScheduler made(2 * num_blocks);
  ServedRequest ending = request_with("B", 1);
  ending.sampling_params.max_tokens = 1;
  made.scheduler.add_request(request_with("A", num_blocks));
  made.scheduler.add_request(ending);
  const SchedulerOutput step = made.scheduler.schedule();
  const std::vector<std::vector<TokenId>> sampled = {{}, {7}};
  return cost_of([&] { made.scheduler.update_from_output(step, sampled); });
}

// The same beside requests that wait.
inline Cost cost_of_ending_before(std::size_t num_waiting) {
  CostlyScheduler made(100, 1);
  ServedRequest ending = request_with("A", 3);
  ending.sampling_params.max_tokens = 1;
  made.scheduler.add_request(ending);
  made.add_many(num_waiting);
  const SchedulerOutput step = made.scheduler.schedule();
  const std::vector<std::vector<TokenId>> sampled = {{7}};
  return cost_of([&] { made.scheduler.update_from_output(step, sampled); });
}

inline Cost cost_of_inputs(const SchedulerOutput& step, const CostlyScheduler& made) {
  return cost_of([&] { prepare_inputs(step, made.scheduler, made.manager); });
}
// A prompt of so many rows, and of as many blocks.
inline Cost cost_of_each_row(std::size_t num_tokens) {
  CostlyScheduler made(num_tokens + 1);
  made.scheduler.add_request(request_with("A", num_tokens));
  return share_with_allocations(cost_of_inputs(made.scheduler.schedule(), made), num_tokens);
}
// Requests of one row and one block.
inline Cost cost_of_each_request_in_a_step(std::size_t num_requests) {
  CostlyScheduler made(num_requests + 1);
  made.add_many(num_requests);
  return share_with_allocations(cost_of_inputs(made.scheduler.schedule(), made), num_requests);
}
// One row, beside requests that run and have no row.
inline Cost cost_of_a_row_beside(std::size_t num_running) {
  CostlyScheduler made(num_running + 100);
  made.add_many(num_running);
  made.scheduler.schedule();
  made.scheduler.add_request(request_with("A", 1));
  return cost_of_inputs(made.scheduler.schedule(), made);
}
// One row of a request of one block, after so many computed tokens.
inline Cost cost_of_a_row_after(std::size_t num_computed) {
  const std::size_t block_size = 2 * num_computed;
  KVCacheManager manager(2, block_size, block_size, false);
  Scheduler scheduler(
      manager,
      {.max_num_batched_tokens = num_computed, .max_num_seqs = 1, .max_model_len = block_size});
  ServedRequest request = request_with("A", num_computed + 1);
  request.block_size = block_size;
  scheduler.add_request(request);
  scheduler.schedule();
  const SchedulerOutput step = scheduler.schedule();
  return cost_of([&] { prepare_inputs(step, scheduler, manager); });
}

// Pointers may be moved, one by one, too: that takes up to 9 basic blocks for each that waits. To
// compare with each takes more.
inline Cost without_moves(Cost cost, std::size_t num_waiting) {
  cost.num_steps -= std::min<std::uint64_t>(cost.num_steps, 10 * num_waiting);
  cost.num_bytes_moved = 0;
  return cost;
}

// A request that goes before all others, and one that goes after them; the ids decide.
inline Cost cost_of_inserting(std::size_t num_waiting) {
  RequestQueue queue(SchedulingPolicy::kPriority);
  ServedRequest first = request_with("A", 1), between = request_with("B", 1);
  ServedRequest last = request_with("C", 1);
  for (std::size_t i = 0; i < num_waiting; ++i) queue.add_request(between);

  const auto inserting = [&](ServedRequest& request) {
    return cost_of([&] { queue.add_request(request); });
  };
  return worst_of({without_moves(cheaper_of(inserting(first), inserting(first)), num_waiting),
                   cheaper_of(inserting(last), inserting(last))});
}

// A text without any token twice.
inline Cost cost_of_each_token_looked_up(std::size_t num_tokens) {
  const std::vector<TokenId> token_ids = request_with("A", num_tokens).token_ids;
  const SpeculativeConfig config{.num_speculative_tokens = 4};
  return share_with_allocations(cost_of([&] { propose(token_ids, config); }), num_tokens);
}

inline const CostProbe kAddingCost{"add_request()", "requests waiting", cost_of_adding_beside,
                                   Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachPromptTokenCost{"add_request(), for each token,", "tokens",
                                            cost_of_each_prompt_token, Memory::kMayBeAskedFor,
                                            2'000};
inline const CostProbe kEachWaitingCost{"finish_requests(), for each that waits,",
                                        "requests waiting", cost_of_each_waiting,
                                        Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kAbortingCost{"finish_requests() of 20 blocks", "blocks of another request",
                                     cost_of_aborting_beside, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kPreemptingCost{"schedule() with a preemption", "requests waiting",
                                       cost_of_preempting_beside, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachVictimBlockCost{"schedule(), for each block of a victim,",
                                            "blocks of the victim", cost_of_each_block_of_a_victim,
                                            Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kStoppingCost{"check_stop()", "tokens of output", cost_of_stopping,
                                     Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEachStopTokenCost{"check_stop(), for each of stop_token_ids,",
                                          "stop_token_ids", cost_of_each_stop_token,
                                          Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachUpdateCost{"update_from_output(), for each request,",
                                       "scheduled requests", cost_of_each_update,
                                       Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kUpdateBesideCost{"update_from_output() of one", "requests waiting",
                                         cost_of_update_beside, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEndingCost{"update_from_output(), one ends,", "blocks of another request",
                                   cost_of_ending_beside, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEndingBeforeCost{"update_from_output(), one ends,", "requests waiting",
                                         cost_of_ending_before, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEachRowCost{"prepare_inputs(), for each row and its block,", "rows",
                                    cost_of_each_row, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kEachStepRequestCost{"prepare_inputs(), for each request,",
                                            "requests of the step", cost_of_each_request_in_a_step,
                                            Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kRowBesideCost{"prepare_inputs() of one row",
                                      "requests that run without a row", cost_of_a_row_beside,
                                      Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kRowAfterCost{"prepare_inputs() of one row", "computed tokens before it",
                                     cost_of_a_row_after, Memory::kMayBeAskedFor, 2'000};
inline const CostProbe kInsertingCost{"insert_by_priority() at an end", "requests waiting",
                                      cost_of_inserting, Memory::kMayBeAskedFor, 20'000};
inline const CostProbe kEachLookedUpCost{"propose(), for each token of the text,", "tokens",
                                         cost_of_each_token_looked_up, Memory::kMayBeAskedFor,
                                         2'000};

}  // namespace kv::grader

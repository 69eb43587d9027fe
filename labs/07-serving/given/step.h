#pragma once
// A step while it is made.

#include <cstddef>

#include "07-serving/given/drafts.h"
#include "07-serving/given/schedule.h"

namespace kv {

struct Step {
  std::size_t token_budget;      // tokens that it still has room for
  std::size_t next_running = 0;  // index in Scheduler::running()
  SchedulerOutput output = {};

  void add(ServedRequest& request, ScheduledAs scheduled_as, std::size_t num_tokens) {
    if (scheduled_as == ScheduledAs::kNew) request.num_cached_tokens = request.num_computed_tokens;
    output.scheduled.push_back({request.request_id, scheduled_as, request.num_computed_tokens,
                                num_tokens, take_drafts(request, num_tokens)});
    token_budget -= num_tokens;
  }
};

}  // namespace kv

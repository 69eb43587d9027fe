#include <algorithm>
#include <iterator>
#include <tuple>

#include "07-serving/request_queue.h"
#include "07-serving/scheduler.h"

namespace kv {

// Halves the part of the queue in which its place is. Then each pointer after the place moves.
void RequestQueue::insert_by_priority(ServedRequest& request) {
  std::ptrdiff_t first = 0, end = std::ssize(requests_);
  while (first < end) {
    const std::ptrdiff_t middle = (first + end) / 2;
    const ServedRequest& other = *requests_[static_cast<std::size_t>(middle)];
    const bool goes_before = std::tie(request.priority, request.arrival_time, request.request_id) <
                             std::tie(other.priority, other.arrival_time, other.request_id);
    (goes_before ? end : first) = goes_before ? middle : middle + 1;
  }
  requests_.push_back(&request);
  std::rotate(requests_.begin() + first, requests_.end() - 1, requests_.end());
}

// From the back, so that of equal ones the last is left.
ServedRequest& Scheduler::take_least_urgent(Step& step) {
  std::size_t at = running_.size() - 1;
  for (std::size_t i = at; i-- > 0;) {
    const ServedRequest &one = *running_[i], &other = *running_[at];
    if (one.priority > other.priority ||
        (one.priority == other.priority && one.arrival_time > other.arrival_time))
      at = i;
  }
  ServedRequest& victim = *running_[at];
  running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(at));
  if (at < step.next_running) step.next_running -= 1;

  std::erase_if(step.output.scheduled, [&](const ScheduledRequest& it) {
    if (it.request_id != victim.request_id) return false;
    step.token_budget += it.num_tokens;
    std::vector<BlockId> ids;
    for (const KVCacheBlock* block : kv_cache_manager_.get_blocks(victim.request_id).blocks())
      ids.push_back(block->block_id);
    const std::size_t num_computed =
        it.num_computed_tokens / kv_cache_manager_.block_pool().block_size();
    kv_cache_manager_.evict_blocks(std::span(ids).subspan(num_computed));
    return true;
  });
  return victim;
}

}  // namespace kv

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "07-serving/request_queue.h"
#include "07-serving/scheduler.h"
#include "kv/todo.h"

namespace kv {

void RequestQueue::insert_by_priority(ServedRequest& request) {
  const auto goes_before = [](const ServedRequest* a, const ServedRequest* b) {
    return std::tie(a->priority, a->arrival_time, a->request_id) <
           std::tie(b->priority, b->arrival_time, b->request_id);
  };
  requests_.insert(std::ranges::upper_bound(requests_, &request, goes_before), &request);
}

ServedRequest& Scheduler::take_least_urgent(Step& step) {
  const auto is_more_urgent = [](const ServedRequest* a, const ServedRequest* b) {
    return std::tie(a->priority, a->arrival_time) < std::tie(b->priority, b->arrival_time);
  };
  // From the back: of equal ones, the one that was admitted last.
  const auto found = std::max_element(running_.rbegin(), running_.rend(), is_more_urgent);
  const auto at = std::prev(found.base());
  ServedRequest& victim = **at;

  // The requests after it move up by one.
  if (std::cmp_less(at - running_.begin(), step.next_running)) --step.next_running;
  running_.erase(at);

  auto& scheduled = step.output.scheduled;
  const auto entry = std::ranges::find(scheduled, victim.request_id, &ScheduledRequest::request_id);
  if (entry == scheduled.end()) return victim;
  step.token_budget += entry->num_tokens;

  // Its new tokens are not computed, so no request must find the blocks that they filled.
  const auto blocks = kv_cache_manager_.get_blocks(victim.request_id).blocks();
  for (const KVCacheBlock* block : blocks.subspan(entry->num_computed_tokens / victim.block_size))
    kv_cache_manager_.evict_blocks({&block->block_id, 1});
  scheduled.erase(entry);
  return victim;
}

}  // namespace kv

#pragma once
// The requests that wait, in the order in which they will be admitted.

#include <algorithm>
#include <cstddef>
#include <deque>

#include "07-serving/given/served_request.h"

namespace kv {

// vLLM: SchedulingPolicy in vllm/v1/core/sched/request_queue.py
enum class SchedulingPolicy {
  kFcfs,      // first come, first served
  kPriority,  // the smallest (priority, arrival_time, request_id) first
};

// vLLM: FCFSRequestQueue and PriorityRequestQueue in vllm/v1/core/sched/request_queue.py
class RequestQueue {
 public:
  explicit RequestQueue(SchedulingPolicy policy) : policy_(policy) {}

  const std::deque<ServedRequest*>& requests() const { return requests_; }
  bool empty() const { return requests_.empty(); }

  // A new request: after all others, or where its priority puts it.
  void add_request(ServedRequest& request) {
    if (policy_ == SchedulingPolicy::kPriority) return insert_by_priority(request);
    requests_.push_back(&request);
  }

  // A preempted request: before all others, or where its priority puts it.
  void prepend_request(ServedRequest& request) {
    if (policy_ == SchedulingPolicy::kPriority) return insert_by_priority(request);
    requests_.push_front(&request);
  }

  ServedRequest& peek_request() const { return *requests_.front(); }
  void pop_request() { requests_.pop_front(); }
  // The nearer the request is to the front, the less this costs.
  void remove_request(const ServedRequest& request) {
    const auto place = std::ranges::find(requests_, &request);
    if (place != requests_.end()) requests_.erase(place);
  }

 private:
  // 7.12 (extra)  Puts the request before the first one that goes after it under kPriority.
  // Requires: the queue is in that order.
  // O(log(requests)) comparisons, and moves pointers.      vLLM: PriorityRequestQueue.add_request
  void insert_by_priority(ServedRequest& request);

  SchedulingPolicy policy_;
  std::deque<ServedRequest*> requests_;
};

}  // namespace kv

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "07-serving/request_queue.h"
#include "07-serving/scheduler.h"
#include "kv/todo.h"

namespace kv {

void RequestQueue::insert_by_priority(ServedRequest& request) {
  KV_TODO("7.12 insert_by_priority");
}

ServedRequest& Scheduler::take_least_urgent(Step& step) {
  KV_TODO("7.13 take_least_urgent");
}

}  // namespace kv

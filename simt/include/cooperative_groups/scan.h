#pragma once
// Prefix sums, or of another operation, over the threads of a group of lanes.

#include "cooperative_groups/reduce.h"

namespace cooperative_groups {

// The result of this thread's value and those before it.
template <typename Group, typename T, typename Operation = plus<T>>
KV_SIMT_INLINE T inclusive_scan(const Group& group, T value, Operation operation = {}) {
  T result = value;
  for (unsigned step = 1; step < group.num_threads(); step *= 2) {
    const T before = group.shfl_up(result, step);
    if (group.thread_rank() >= step) result = operation(before, result);
  }
  return result;
}

// The result of the values before this thread's.
template <typename Group, typename T, typename Operation = plus<T>>
KV_SIMT_INLINE T exclusive_scan(const Group& group, T value, Operation operation = {}) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() == 0 ? Operation::identity() : before;
}

}  // namespace cooperative_groups

#pragma once
// __syncthreads().

#include "simt/runtime/core/findings.h"
#include "simt/sync.h"

namespace kv::simt {

// The current thread waits at the barrier of this place.
Tally barrier_at(bool predicate, Site site);

// A thread has returned. If all others wait at the barrier, the barrier opens.
void thread_left_barrier();

}  // namespace kv::simt

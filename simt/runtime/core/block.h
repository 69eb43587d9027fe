#pragma once
// A block of threads, from its first thread to its last, and its barrier.

#include "simt/runtime/core/findings.h"
#include "simt/runtime/core/machine.h"
#include "simt/sync.h"

namespace kv::simt {

// Runs a block to its end, from the host's fiber.
void run_block(uint3 block);

// Reports the finding, of this thread or of the current one, and drops the launch: its threads stop
// where they are.
[[noreturn]] void fail(cudaError_t why, Finding finding, const Thread* thread = nullptr);

// __syncthreads(): the current thread waits at the barrier of this place.
Tally barrier_at(bool predicate, Site site);

// A thread has returned. If all others wait at the barrier, the barrier opens.
void thread_left_barrier();

}  // namespace kv::simt

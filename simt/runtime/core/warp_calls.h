#pragma once
// Shuffles, votes and __syncwarp.

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// A lane has returned: nobody waits for it any more.
void thread_left_warp(unsigned warp);

// Nobody can run. Reports who waits for whom, and drops the launch.
[[noreturn]] void explain_deadlock();

// What each lane gets. arrived: the lanes that take part.
void compute_results(const WarpCall& call, Thread* lanes);

}  // namespace kv::simt

#pragma once
// Who runs next. A thread runs until it has to wait; then the next lane of its warp that can run
// does, then the next warp. When nobody can, they wait for each other: that is a finding, no hang.

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// The current thread is not ready any more, and sleeps until somebody makes it so.
void sleep();

// The current thread stays ready, and lets all others go first: it may be waiting for a flag that
// one of them sets.
void let_others_go();

void make_ready(unsigned warp, std::uint32_t lanes);

// The first that can run, of the warps in turn, beginning with this one; nullptr: nobody can.
Thread* next_thread(unsigned first_warp);

// The current one.
void become(Thread& thread);

// Runs a block to its end, from the host's fiber.
void run_block(uint3 block);

[[noreturn]] void end_thread();

// Drops the launch, with all its threads as they stand.
[[noreturn]] void end_launch(cudaError_t why);

// Reports, and drops the launch.
[[noreturn]] void fail(cudaError_t why, Finding finding);

}  // namespace kv::simt

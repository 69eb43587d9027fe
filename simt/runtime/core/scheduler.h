#pragma once
// Which thread runs next. A thread runs until it has to wait; then the next lane of its warp that
// can run does, then the next warp. When no thread can run, they wait for each other: the program
// does not hang, it gets a finding.

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// The current thread is no longer ready, and sleeps until another thread makes it ready.
void sleep();

// The current thread stays ready but lets all others run first: it may be waiting for a flag that
// one of them sets.
void yield_to_others();

void make_ready(unsigned warp, std::uint32_t lanes);

// The first thread that can run, warp by warp, beginning with this one; nullptr: none can.
Thread* next_thread(unsigned first_warp);

void make_current(Thread& thread);

}  // namespace kv::simt

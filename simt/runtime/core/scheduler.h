#pragma once
// Which thread runs next. A thread runs until it has to wait; then the next lane of its warp that
// can run does, then the next warp. When no thread can run, they wait for each other: the program
// does not hang, it gets a finding.

#include <cstdint>

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// The current thread is no longer ready, and sleeps until another thread makes it ready.
void sleep();

// In lockstep: the next lane of the group that takes this step runs, or another warp.
void end_step();

// The current thread stays ready but lets all others run first: it may be waiting for a flag that
// one of them sets.
void yield_to_others();

void make_ready(unsigned warp, std::uint32_t lanes);

// The first thread that can run, warp by warp, beginning with this one; nullptr: none can.
Thread* next_thread(unsigned first_warp);

void make_current(Thread& thread);

// Lockstep: a warp runs basic block by basic block, as hardware does. Of the lanes that can run, a
// group takes the next step: those deepest in function calls, and of them those whose place in
// the program comes first. So lanes that have diverged converge where their paths meet.

// The first of a set of lanes; in the reverse schedule the last.
unsigned first_lane(std::uint32_t lanes);

// The next lane of the group that takes this step of the warp. When all of the group have run, a
// new group is chosen from these lanes.
unsigned next_in_step(unsigned warp, std::uint32_t lanes);

}  // namespace kv::simt

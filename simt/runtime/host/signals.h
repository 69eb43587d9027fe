#pragma once
// Signals that interrupt the program: errors of the machine, and a timer.

namespace kv::simt {

// Reports what the instrumentation cannot see in advance: a full stack, an invalid pointer in a
// library function such as memcpy, abort().
void install_signal_handlers();

// A timer of CPU time, for what the count of basic blocks cannot see: a loop without calls, such as
// the jump that g++ makes of `while (true) {}`, and a loop whose time goes into library functions.
void install_timer();
void start_timer();  // a launch begins
void stop_timer();

}  // namespace kv::simt

#pragma once
// A timer of CPU time, for what the count of basic blocks cannot see: a loop without calls, such as
// the jump that g++ makes of `while (true) {}`, and a loop whose time goes into library functions.

namespace kv::simt {

void install_timer();

void start_timer();  // a launch begins
void stop_timer();

}  // namespace kv::simt

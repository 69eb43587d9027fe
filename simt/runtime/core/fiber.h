#pragma once
// A fiber: a stack of its own, and a place in the program where it goes on. Switching from one to
// another saves the registers that a called function must keep, changes the stack pointer, and
// returns: to wherever the other fiber had called from. It costs about as much as a function call.

#include <cstddef>

namespace kv::simt {

using Fiber = void*;  // where a sleeping fiber's registers lie: its stack pointer

// Puts the running fiber to sleep, wakes another.
extern "C" void kv_simt_switch(Fiber* sleeping, Fiber waking);

// A fiber that will begin in `entry`, on the stack that ends at `top`. `entry` never returns.
Fiber new_fiber(std::byte* top, void (*entry)());

}  // namespace kv::simt

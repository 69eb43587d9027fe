#pragma once
// A fiber: a stack of its own, and the place in the program where it continues. A switch from one
// to another saves the registers that a called function must keep, changes the stack pointer, and
// returns to where the other fiber called from. It costs about as much as a function call.

#include <cstddef>

namespace kv::simt {

using Fiber = void*;  // the stack pointer of a sleeping fiber: its registers are saved there

// Puts the running fiber to sleep and wakes another.
extern "C" void kv_simt_switch(Fiber* sleeping, Fiber waking);

// A fiber that will begin in `entry`, on the stack that ends at `top`. `entry` never returns.
Fiber new_fiber(std::byte* top, void (*entry)());

}  // namespace kv::simt

#pragma once
// Lockstep: a warp runs basic block by basic block, as hardware does. Of the lanes that can run, a
// group takes the next step: those deepest in function calls, and of them those whose place in
// the program comes first. So lanes that have diverged converge where their paths meet.

#include <cstdint>

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// The first of a set of lanes; in the reverse schedule the last.
unsigned first_lane(std::uint32_t lanes);

// The next lane of the group that takes this step of the warp. When all of the group have run, a
// new group is chosen from these lanes.
unsigned next_in_step(unsigned warp, std::uint32_t lanes);

}  // namespace kv::simt

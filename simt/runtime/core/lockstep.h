#pragma once
// Lockstep: a warp goes basic block by basic block, as hardware does. Of the lanes that can run, a
// group takes the next step: those deepest in function calls, and of them those that are furthest
// behind in the program. So lanes that have parted meet again where their ways do.

#include <cstdint>

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// The first of a set of lanes; in the reverse schedule the last.
unsigned first_lane(std::uint32_t lanes);

// The next lane of the group of a warp whose step it is; when all have gone, a new group of these
// lanes is chosen.
unsigned next_in_step(unsigned warp, std::uint32_t lanes);

}  // namespace kv::simt

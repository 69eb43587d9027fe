#pragma once
// What this thread has done so far, counted as it goes. See counters.cpp for how.

#include <cstddef>
#include <cstdint>

namespace kv::grader {

struct Counts {
  // Basic blocks: stretches of code without a jump. Where the compiler cannot count them,
  // nanoseconds.
  std::uint64_t num_steps = 0;
  std::uint64_t num_allocations = 0;  // always 0 under a sanitizer, which needs operator new itself
  std::uint64_t num_bytes_moved = 0;  // always 0 where the linker cannot wrap a function
};

Counts counts_so_far();

// In bytes, of what was asked for in one piece since it was last forgotten. 0 under a sanitizer.
std::size_t largest_allocation();
void forget_largest_allocation();

}  // namespace kv::grader

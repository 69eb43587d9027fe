#pragma once
// What this thread has done so far; counters.cpp says how it is counted.

#include <cstdint>

namespace kv::grader {

struct Counts {
  // Basic blocks: pieces of code without a jump. Nanoseconds if the compiler cannot count them.
  std::uint64_t num_steps = 0;
  std::uint64_t num_allocations = 0;  // always 0 under a sanitizer, which needs operator new itself
  std::uint64_t num_bytes_moved = 0;  // always 0 where the linker cannot wrap a function
};

Counts counts_so_far();

}  // namespace kv::grader

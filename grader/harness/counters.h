#pragma once
// What this thread has done so far; counters.cpp says how it is counted.

#include <cstddef>
#include <cstdint>

namespace kv::grader {

struct Counts {
  // Basic blocks: pieces of code without a jump. Nanoseconds if the compiler cannot count them.
  std::uint64_t num_steps = 0;
  std::uint64_t num_allocations = 0;  // always 0 under a sanitizer, which needs operator new itself
  std::uint64_t num_bytes_moved = 0;  // always 0 where the linker cannot wrap a function
};

Counts counts_so_far();

// 0 if the compiler cannot count them.
std::uint64_t num_basic_blocks_so_far();

// The last request for memory that was refused, and how much the process had then.
struct Refusal {
  std::size_t num_bytes = 0;  // 0: none was refused
  std::size_t num_bytes_in_use = 0;
};
Refusal last_refusal();

}  // namespace kv::grader

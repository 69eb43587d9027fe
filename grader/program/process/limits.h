#pragma once
// Turns Limits into what the kernel enforces, in the child, before it becomes the test program.

#include "grader/program/process/process.h"

namespace kv::grader {

// How many processes a child may let there be. Reads a file: to be asked before the fork.
std::size_t process_limit();

void apply(const Limits& limits, std::size_t num_processes);

}  // namespace kv::grader

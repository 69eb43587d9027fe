#pragma once
// A block of threads, from its first thread to its last.

#include "simt/runtime/core/machine.h"

namespace kv::simt {

// Runs a block to its end, from the host's fiber.
void run_block(uint3 block);

// Reports the finding, of this thread or of the current one, and drops the launch: its threads stop
// where they are.
[[noreturn]] void fail(cudaError_t why, Finding finding, const Thread* thread = nullptr);

}  // namespace kv::simt

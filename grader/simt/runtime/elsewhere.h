#pragma once
// An access of a kernel to memory that is neither device nor shared memory nor its own stack.

#include "grader/simt/runtime/access.h"

namespace kv::simt {

void access_elsewhere(const MemoryAccess& access);

}  // namespace kv::simt

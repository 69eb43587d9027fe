#pragma once
// An access of a kernel to memory that is neither device nor shared memory nor its own stack.

#include "simt/runtime/memory/access.h"

namespace kv::simt {

void access_other(const MemoryAccess& access);

}  // namespace kv::simt

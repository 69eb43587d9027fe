#pragma once
// Shared memory: has this been written, and is everybody done with it?

#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {

void check_shared_race(const MemoryAccess& access);

}  // namespace kv::simt

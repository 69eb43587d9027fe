#pragma once
// Checks an access of a kernel to device memory: is it in bounds, aligned, initialized, and ordered
// after the last write to the same bytes?

#include "simt/runtime/memory/access.h"

namespace kv::simt {

void access_global(const MemoryAccess& access);

// A launch begins: no thread has written in it.
void begin_global_races();

}  // namespace kv::simt

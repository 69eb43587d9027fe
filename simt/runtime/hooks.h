#pragma once
// An access to memory somewhere in the instrumented program.

#include "simt/runtime/memory/access.h"

namespace kv::simt {

void access(const void* pointer, unsigned bytes, Access kind, Site site);

// Any number of bytes, checked as the widest aligned pieces.
void access_range(const void* pointer, std::size_t bytes, Access kind, Site site);

// Host code accesses memory that is the device's, or the target of a copy.
void check_host_access(std::uintptr_t address, unsigned bytes, Access kind, Site site);

}  // namespace kv::simt

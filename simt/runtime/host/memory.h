#pragma once
// Copies of memory and their checks, for the calls of the host's interface.

#include "simt/host_memory.h"
#include "simt/runtime/memory/arena.h"

namespace kv::simt {

// The allocation at this address, also if it was freed; nullptr: none.
Allocation* owner_of(const void* pointer);

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Site site);
cudaError_t set(void* pointer, int value, std::size_t bytes, Site site);

}  // namespace kv::simt

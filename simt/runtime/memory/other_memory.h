#pragma once
// An access of a kernel to memory that is neither device nor shared memory nor its own stack.

#include "simt/runtime/memory/access.h"

namespace kv::simt {

void access_other(const MemoryAccess& access);

// Memory of the host that kernels may use: cudaHostRegister.
void register_host(const void* memory, std::size_t bytes);
void unregister_host(const void* memory);
bool is_registered(const void* memory);

}  // namespace kv::simt

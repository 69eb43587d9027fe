#pragma once
// Checks an access of a kernel to memory of the device or of the host.

#include "simt/runtime/memory/access.h"
#include "simt/runtime/memory/arena.h"

namespace kv::simt {

// To device memory: is it in bounds, aligned, initialized, and ordered after the last write to the
// same bytes?
void access_global(const MemoryAccess& access);

// "8 bytes before the start of allocation 1 of 64 bytes"
std::string distance_to(const Allocation& allocation, std::uintptr_t address);

// Whether a struct at this address is written except for its padding.
bool is_padding_in_global(std::uintptr_t address, std::size_t bytes);

// A launch begins: no thread has written in it.
void begin_global_races();

// To memory that is neither device nor shared memory nor the thread's own stack.
void access_other(const MemoryAccess& access);

// Memory of the host that kernels may use: cudaHostRegister.
void register_host(const void* memory, std::size_t bytes);
void unregister_host(const void* memory);
bool is_registered(const void* memory);

}  // namespace kv::simt

#pragma once
// Checks an access of a kernel to device memory: is it in bounds, aligned, initialized, and ordered
// after the last write to the same bytes?

#include "simt/runtime/memory/access.h"
#include "simt/runtime/memory/arena.h"

namespace kv::simt {

void access_global(const MemoryAccess& access);

// "8 bytes before the start of allocation 1 of 64 bytes"
std::string distance_to(const Allocation& allocation, std::uintptr_t address);

// Whether a struct at this address is written except for its padding.
bool is_padding_in_global(std::uintptr_t address, std::size_t bytes);

// A launch begins: no thread has written in it.
void begin_global_races();

}  // namespace kv::simt

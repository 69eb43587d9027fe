// Kinds of addresses: what simt/address_spaces.h declares.

#include "simt/address_spaces.h"
#include "simt/runtime/hooks.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {

std::uint64_t offset_in_shared(const void* pointer) {
  return shared_memory.offset_in_window(reinterpret_cast<std::uintptr_t>(pointer));
}

void* pointer_to_shared(std::uint64_t offset) {
  return reinterpret_cast<void*>(shared_memory.address_in_window(offset));
}

bool is_shared(const void* pointer) {
  return shared_memory.contains(reinterpret_cast<std::uintptr_t>(pointer));
}

bool is_global(const void* pointer) {
  return arena.contains(reinterpret_cast<std::uintptr_t>(pointer));
}

}  // namespace kv::simt

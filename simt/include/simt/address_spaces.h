#pragma once
// Addresses of shared memory as PTX counts them, from the first byte of the block's shared memory:
// 32 bits are enough. All other memory has one address.

#include <cstddef>
#include <cstdint>

#include "simt/qualifiers.h"

namespace kv::simt {

std::uint64_t offset_in_shared(const void* pointer);
void* pointer_to_shared(std::uint64_t offset);
bool is_shared(const void* pointer);
bool is_global(const void* pointer);

}  // namespace kv::simt

KV_SIMT_INLINE std::size_t __cvta_generic_to_shared(const void* pointer) {
  return kv::simt::offset_in_shared(pointer);
}
KV_SIMT_INLINE void* __cvta_shared_to_generic(std::size_t offset) {
  return kv::simt::pointer_to_shared(offset);
}
KV_SIMT_INLINE std::size_t __cvta_generic_to_global(const void* pointer) {
  return reinterpret_cast<std::size_t>(pointer);
}
KV_SIMT_INLINE void* __cvta_global_to_generic(std::size_t address) {
  return reinterpret_cast<void*>(address);
}
KV_SIMT_INLINE unsigned __isShared(const void* pointer) {
  return kv::simt::is_shared(pointer);
}
KV_SIMT_INLINE unsigned __isGlobal(const void* pointer) {
  return kv::simt::is_global(pointer);
}

#pragma once
// Address space that costs memory only where it is touched.

#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace kv::simt {

// All zeros; nullptr when there is no room.
inline std::byte* try_to_map(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<std::byte*>(memory);
}

inline std::byte* map_memory(std::size_t bytes) {
  std::byte* const memory = try_to_map(bytes);
  if (memory == nullptr) {
    std::fprintf(stderr, "simt: no address space for %zu bytes; raise the limit: ulimit -v\n",
                 bytes);
    std::_Exit(3);
  }
  return memory;
}

// The memory goes back to the system; the bytes read as zeros again.
inline void forget(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_DONTNEED);
}

}  // namespace kv::simt

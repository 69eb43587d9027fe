#pragma once
// Address space that costs memory only where it is touched.

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace kv::simt {

struct MappedRange {
  std::uintptr_t first;
  std::size_t bytes;
};
inline std::vector<MappedRange>& mapped_ranges() {
  static std::vector<MappedRange> ranges;
  return ranges;
}
inline bool is_mapped_by_runtime(std::uintptr_t address) {
  for (const MappedRange& range : mapped_ranges()) {
    if (address - range.first < range.bytes) return true;
  }
  return false;
}

inline void* try_to_map(std::size_t bytes) {
  return mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
}

inline bool can_map(std::size_t bytes) {
  void* const memory = try_to_map(bytes);
  if (memory == MAP_FAILED) return false;
  munmap(memory, bytes);
  return true;
}

// All zeros.
inline std::byte* map_memory(std::size_t bytes) {
  void* const memory = try_to_map(bytes);
  if (memory == MAP_FAILED) {
    std::fprintf(stderr, "simt: no address space for %zu bytes; raise the limit: ulimit -v\n",
                 bytes);
    std::_Exit(3);
  }
  mapped_ranges().push_back({reinterpret_cast<std::uintptr_t>(memory), bytes});
  return static_cast<std::byte*>(memory);
}

// The memory goes back to the system; the bytes read as zeros again.
inline void forget(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_DONTNEED);
}

}  // namespace kv::simt

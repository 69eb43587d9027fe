#pragma once
// Given: a vector for random access to much memory. A processor reads memory in lines of 64 bytes,
// and remembers the addresses of about two thousand pages: 8 MB of ordinary pages, 4 GB of huge
// ones. So a HugePageVector starts on a line (16 tokens fill one), and a large one starts on a huge
// page and asks the system for such pages.

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace kv {

template <class T>
struct HugePageAllocator {
  using value_type = T;
  // Why: so a vector that is assigned takes over the memory, also of elements that cannot be
  // assigned.
  using propagate_on_container_move_assignment = std::true_type;
  static constexpr std::size_t kLineBytes = 64, kHugePageBytes = 2 << 20;

  HugePageAllocator() = default;
  template <class U>
  explicit(false) HugePageAllocator(const HugePageAllocator<U>&) {}  // the standard asks for it

  T* allocate(std::size_t n) {
    void* memory = ::operator new(n * sizeof(T), alignment(n));
#ifdef MADV_HUGEPAGE
    // Why unchecked: it is only advice, and ordinary pages hold the same data.
    if (n * sizeof(T) >= kHugePageBytes) ::madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* first, std::size_t n) {
    ::operator delete(first, alignment(n));
  }

  bool operator==(const HugePageAllocator&) const = default;

 private:
  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{n * sizeof(T) < kHugePageBytes ? kLineBytes : kHugePageBytes};
  }
};

template <class T>
using HugePageVector = std::vector<T, HugePageAllocator<T>>;

// Given: asks for a line of memory that is read soon, and does not wait for it.
// Why into the second cache: it waits for three times as many lines at once as the first one.
inline void prefetch_line(const void* address) {
  constexpr int kToRead = 0, kIntoSecondCache = 2;
  __builtin_prefetch(address, kToRead, kIntoSecondCache);
  asm volatile("");  // Why: to GCC, a function without it has no effect; it drops the call.
}

}  // namespace kv

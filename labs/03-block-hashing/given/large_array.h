#pragma once
// Given: a vector that is read here and there. Memory comes in lines of 64 bytes and is found by
// its page, of which the processor remembers about two thousand: 8 MB of the usual ones, 4 GB of
// large ones. So a LargeArray begins with a line (16 tokens fill exactly one), and one that fills a
// large page begins with such a page and asks the system for it.

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace kv {

template <class T>
struct PageAllocator {
  using value_type = T;
  static constexpr std::size_t kLineBytes = 64, kLargePageBytes = 2 << 20;

  PageAllocator() = default;
  template <class U>
  explicit(false) PageAllocator(const PageAllocator<U>&) {}  // the standard asks for it

  T* allocate(std::size_t n) {
    void* memory = ::operator new(n * sizeof(T), alignment(n));
    // Why unchecked: it is a wish, and small pages are as right.
    if (n * sizeof(T) >= kLargePageBytes) ::madvise(memory, n * sizeof(T), MADV_HUGEPAGE);
    return static_cast<T*>(memory);
  }
  void deallocate(T* first, std::size_t n) { ::operator delete(first, alignment(n)); }

  bool operator==(const PageAllocator&) const = default;

 private:
  static std::align_val_t alignment(std::size_t n) {
    return std::align_val_t{n * sizeof(T) < kLargePageBytes ? kLineBytes : kLargePageBytes};
  }
};

template <class T>
using LargeArray = std::vector<T, PageAllocator<T>>;

}  // namespace kv

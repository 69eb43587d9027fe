#pragma once
// Given: memory moves in lines of 64 bytes. A vector with this allocator begins with a line, so
// that 16 tokens fill exactly one, and reading them never takes two.

#include <cstddef>
#include <new>

namespace kv {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t kLine{64};

  LineAllocator() = default;
  template <class U>
  explicit(false) LineAllocator(const LineAllocator<U>&) {}  // the standard asks for it

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), kLine)); }
  void deallocate(T* first, std::size_t) { ::operator delete(first, kLine); }

  bool operator==(const LineAllocator&) const = default;
};

}  // namespace kv

#pragma once
// The memory that is allocated at one time, by new, malloc and everything else alike: this file
// replaces malloc of glibc, so one source file of a program may include it.

#include <atomic>
#include <cstddef>
#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace kv::grader {

inline constinit std::atomic<std::ptrdiff_t> num_live_bytes = 0;
inline constinit std::atomic<std::ptrdiff_t> most_live_bytes = 0;

// The largest number of bytes that `call` has allocated at one time. 0 where malloc is not
// replaced.
template <class Call>
std::size_t most_bytes_of(Call call) {
  const std::ptrdiff_t before = num_live_bytes;
  most_live_bytes = before;
  call();
  return static_cast<std::size_t>(most_live_bytes - before);
}

}  // namespace kv::grader

#if defined(__GLIBC__) && !defined(KV_SANITIZED)
namespace kv::grader {

// Counts a block of memory that begins to exist (+1) or ceases to (-1).
inline void* count_live(void* memory, std::ptrdiff_t sign) {
  if (memory == nullptr) return memory;
  const auto num_bytes = sign * static_cast<std::ptrdiff_t>(::malloc_usable_size(memory));
  const std::ptrdiff_t live = num_live_bytes.fetch_add(num_bytes) + num_bytes;
  std::ptrdiff_t most = most_live_bytes;
  while (live > most && !most_live_bytes.compare_exchange_weak(most, live)) {
  }
  return memory;
}

}  // namespace kv::grader

extern "C" {

void* __libc_malloc(std::size_t num_bytes) noexcept;
void* __libc_calloc(std::size_t num, std::size_t size) noexcept;
void* __libc_realloc(void* memory, std::size_t num_bytes) noexcept;
void* __libc_memalign(std::size_t alignment, std::size_t num_bytes) noexcept;
void __libc_free(void* memory) noexcept;

void* malloc(std::size_t num_bytes) noexcept {
  return kv::grader::count_live(__libc_malloc(num_bytes), 1);
}

void* calloc(std::size_t num, std::size_t size) noexcept {
  return kv::grader::count_live(__libc_calloc(num, size), 1);
}

void* realloc(void* memory, std::size_t num_bytes) noexcept {
  kv::grader::count_live(memory, -1);
  return kv::grader::count_live(__libc_realloc(memory, num_bytes), 1);
}

void* aligned_alloc(std::size_t alignment, std::size_t num_bytes) noexcept {
  return kv::grader::count_live(__libc_memalign(alignment, num_bytes), 1);
}

void free(void* memory) noexcept {
  kv::grader::count_live(memory, -1);
  __libc_free(memory);
}

}  // extern "C"
#endif

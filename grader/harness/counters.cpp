// Compiled without what it counts; everything else in a test program is compiled with it.
//
//   basic blocks   -fsanitize-coverage=trace-pc calls __sanitizer_cov_trace_pc in each of them
//   allocations    operator new, replaced
//   bytes moved    -Wl,--wrap=memmove sends calls of memmove to __wrap_memmove. Why count them: to
//                  erase the first of a million array elements is one basic block, and eight
//                  megabytes.

#include "grader/harness/counters.h"

#include <chrono>
#include <cstdlib>
#include <new>

namespace {

// Why of each thread: the code of some labs is at work in several.
thread_local kv::grader::Counts counts;

}  // namespace

kv::grader::Counts kv::grader::counts_so_far() {
#ifndef KV_COUNTS_BASIC_BLOCKS
  counts.num_steps =
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  return counts;
}

extern "C" {

void __sanitizer_cov_trace_pc();
void __sanitizer_cov_trace_pc() {
  ++counts.num_steps;
}

#ifdef KV_COUNTS_BYTES
void* __real_memmove(void* to, const void* from, std::size_t num_bytes);
void* __real_memcpy(void* to, const void* from, std::size_t num_bytes);
void* __real_memset(void* to, int value, std::size_t num_bytes);
void* __wrap_memmove(void* to, const void* from, std::size_t num_bytes);
void* __wrap_memcpy(void* to, const void* from, std::size_t num_bytes);
void* __wrap_memset(void* to, int value, std::size_t num_bytes);

void* __wrap_memmove(void* to, const void* from, std::size_t num_bytes) {
  counts.num_bytes_moved += num_bytes;
  return __real_memmove(to, from, num_bytes);
}

void* __wrap_memcpy(void* to, const void* from, std::size_t num_bytes) {
  counts.num_bytes_moved += num_bytes;
  return __real_memcpy(to, from, num_bytes);
}

void* __wrap_memset(void* to, int value, std::size_t num_bytes) {
  counts.num_bytes_moved += num_bytes;
  return __real_memset(to, value, num_bytes);
}
#endif

}  // extern "C"

#ifndef KV_SANITIZED
void* operator new(std::size_t num_bytes) {
  ++counts.num_allocations;
  if (void* memory = std::malloc(num_bytes == 0 ? 1 : num_bytes)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t num_bytes, std::align_val_t alignment) {
  ++counts.num_allocations;
  const auto align = static_cast<std::size_t>(alignment);
  const std::size_t rounded = (num_bytes + align - 1) / align * align;
  if (void* memory = std::aligned_alloc(align, rounded == 0 ? align : rounded)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
#endif

// Compiled without what it counts; everything else in a test program is compiled with it.
//
//   basic blocks   -fsanitize-coverage=trace-pc calls __sanitizer_cov_trace_pc in each of them
//   allocations    operator new, replaced
//   bytes moved    -Wl,--wrap=memmove sends calls of memmove to __wrap_memmove. Why count them: to
//                  erase the first of a million array elements is one basic block, and eight
//                  megabytes.

#include "grader/harness/counters.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <new>

namespace {

// Why of each thread: the code of some labs is at work in several.
thread_local kv::grader::Counts counts;
kv::grader::Refusal refusal;

}  // namespace

std::uint64_t kv::grader::num_basic_blocks_so_far() {
#ifdef KV_COUNTS_BASIC_BLOCKS
  return counts.num_steps;
#else
  return 0;
#endif
}

kv::grader::Refusal kv::grader::last_refusal() {
  return refusal;
}

kv::grader::Counts kv::grader::counts_so_far() {
#ifndef KV_COUNTS_BASIC_BLOCKS
  counts.num_steps =
      static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
  return counts;
}

extern "C" {

// Why weak: where kernels are simulated, the simulator's function of this name counts them.
[[gnu::weak]] void __sanitizer_cov_trace_pc();
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
namespace {

// Address space of this process; 0 where there is no /proc. Allocates nothing.
std::size_t num_bytes_in_use() {
  std::array<char, 32> digits{};
  const int file = ::open("/proc/self/statm", O_RDONLY);
  if (file < 0) return 0;
  const ssize_t size = ::read(file, digits.data(), digits.size() - 1);
  ::close(file);
  if (size <= 0) return 0;
  return std::strtoul(digits.data(), nullptr, 10) * static_cast<std::size_t>(::getpagesize());
}

[[noreturn]] void refuse(std::size_t num_bytes) {
  refusal = {num_bytes, num_bytes_in_use()};
  throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t num_bytes) {
  ++counts.num_allocations;
  if (void* memory = std::malloc(num_bytes == 0 ? 1 : num_bytes)) return memory;
  refuse(num_bytes);
}

void* operator new(std::size_t num_bytes, std::align_val_t alignment) {
  ++counts.num_allocations;
  const auto align = static_cast<std::size_t>(alignment);
  const std::size_t rounded = (num_bytes + align - 1) / align * align;
  if (void* memory = std::aligned_alloc(align, rounded == 0 ? align : rounded)) return memory;
  refuse(num_bytes);
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

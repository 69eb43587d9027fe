// Other calls of the instrumented program: atomic operations, copies, failed checks, its end.

#include <cxxabi.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/held_races.h"
#include "simt/runtime/core/progress.h"
#include "simt/runtime/hooks.h"
#include "simt/runtime/memory/padding.h"

namespace kv::simt {
namespace {

// The compiler's record of an array whose index is checked.
struct ArrayIndexCheck {
  const char* file;
  std::uint32_t line, column;
  const struct {
    std::uint16_t kind, info;
    char name[1];
  } * array_type, *index_type;
};

void report_index(const ArrayIndexCheck& check, std::size_t index, Site site) {
  const PauseChecks pause;
  std::string type = check.array_type->name;  // 'float [32]', or without the space
  std::erase(type, ' ');
  const auto number = static_cast<std::ptrdiff_t>(index);
  Finding finding{.kind = Kind::kArrayIndex,
                  .site = site,
                  .what = "index " + std::to_string(number) + " of an array of type " + type +
                          about_pattern(number)};
  if (machine.current == nullptr) return findings.add(std::move(finding));
  finding.what = name_of(self()) + " uses " + finding.what;
  fail(cudaErrorIllegalAddress, std::move(finding));
}

// A copy reads and writes at one place, and each place has one kind of access: the read gets the
// byte before.
Site place_of_read(Site copy) {
  return static_cast<const char*>(copy) - 1;
}

}  // namespace

void begin_atomic(const void* address, void* old, unsigned num_bytes) {
  access(address, num_bytes, Access::kAtomic, __builtin_return_address(0));
  machine.is_checking = false;
  std::memcpy(old, address, num_bytes);
}

void begin_compare(const void* address, void* old, unsigned num_bytes) {
  remember_cas(address);
  access(address, num_bytes, Access::kAtomic, __builtin_return_address(0));
  machine.is_checking = false;
  std::memcpy(old, address, num_bytes);
}

void end_atomic(void* address, const void* changed, unsigned num_bytes) {
  std::memcpy(address, changed, num_bytes);
  machine.is_checking = true;
}

void trap() {
  const PauseChecks pause;
  fail(cudaErrorLaunchFailure, {.kind = Kind::kTrap,
                                .site = __builtin_return_address(0),
                                .what = name_of(self()) + " calls __trap()"});
}

long long clock_ticks() {
  return static_cast<long long>(self().steps);
}

}  // namespace kv::simt

extern "C" {

// memcpy, memmove and memset, renamed in the object file of the program. Most of these calls come
// from the compiler, which makes them to copy a struct.
void* __tsan_memcpy(void* to, const void* from, std::size_t bytes) {
  using namespace kv::simt;
  access_range(from, bytes, Access::kRead, place_of_read(__builtin_return_address(0)));
  access_range(to, bytes, Access::kWrite, __builtin_return_address(0));
  return std::memcpy(to, from, bytes);
}
void* __tsan_memmove(void* to, const void* from, std::size_t bytes) {
  using namespace kv::simt;
  access_range(from, bytes, Access::kRead, place_of_read(__builtin_return_address(0)));
  access_range(to, bytes, Access::kWrite, __builtin_return_address(0));
  return std::memmove(to, from, bytes);
}
void* __tsan_memset(void* to, int value, std::size_t bytes) {
  using namespace kv::simt;
  access_range(to, bytes, Access::kWrite, __builtin_return_address(0));
  return std::memset(to, value, bytes);
}
// printf, renamed likewise.
int kv_simt_printf(const char* format, ...) {
  using namespace kv::simt;
  if (machine.current != nullptr) progress.add_work(kPrintWork);
  std::va_list arguments;
  va_start(arguments, format);
  const int num_bytes = std::vprintf(format, arguments);
  va_end(arguments);
  return num_bytes;
}
void __ubsan_handle_out_of_bounds(const kv::simt::ArrayIndexCheck* check, std::size_t index) {
  kv::simt::report_index(*check, index, __builtin_return_address(0));
}

// A throw begins with this call of __cxa_allocate_exception, renamed likewise. Only KV_TODO throws
// in a kernel, and its exception leaves the kernel: what runs from here on is not the kernel's own
// code.
void* kv_simt_allocate_exception(std::size_t bytes) noexcept {
  kv::simt::machine.is_checking = false;
  return abi::__cxa_allocate_exception(bytes);
}

// assert() in a kernel ends the launch; on the host it aborts, as usual.
[[noreturn]] void __assert_fail(const char* what,
                                const char* file,
                                unsigned line,
                                const char*) noexcept {
  using namespace kv::simt;
  if (machine.current != nullptr) {
    const PauseChecks pause;
    fail(cudaErrorAssert, {.kind = Kind::kAssert,
                           .site = __builtin_return_address(0),
                           .what = name_of(self()) + " fails assert(" + what + ")"});
  }
  std::fprintf(stderr, "%s:%u: assertion failed: %s\n", file, line, what);
  std::abort();
}
}

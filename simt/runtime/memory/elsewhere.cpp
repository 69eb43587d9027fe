#include "simt/runtime/memory/elsewhere.h"

#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/report/program_image.h"

// The linker marks the ends of the section that __constant__ variables lie in, if there is one.
extern "C" {
extern const char __start_kv_simt_constant[] __attribute__((weak));
extern const char __stop_kv_simt_constant[] __attribute__((weak));
}

namespace kv::simt {
namespace {

constexpr std::uintptr_t kFirstPage = 4096;

bool is_constant(std::uintptr_t address) {
  const auto first = reinterpret_cast<std::uintptr_t>(__start_kv_simt_constant);
  const auto end = reinterpret_cast<std::uintptr_t>(__stop_kv_simt_constant);
  return address >= first && address < end;
}

[[noreturn]] void fail_with(const MemoryAccess& access, Kind kind, const std::string& where) {
  const Unwatched unwatched;
  fail(cudaErrorIllegalAddress,
       {.kind = kind, .site = access.site, .what = who_does(access) + where});
}

}  // namespace

void access_elsewhere(const MemoryAccess& access) {
  const std::uintptr_t address = access.address;
  if (access.kind == Access::kAtomic) order_by_atomic(address);
  if (address < kFirstPage) {
    fail_with(access, Kind::kNullPointer,
              " at address " + std::to_string(address) + ": through a null pointer");
  }
  if (machine.stacks.contains(address)) {
    fail_with(access, Kind::kOthersLocalMemory, " in the local memory of another thread");
  }
  if (is_constant(address) || program_image().is_read_only(address)) {
    if (access.writes()) fail_with(access, Kind::kConstantWrite, " of constant memory");
    return;
  }
  // Variables of the program stand for __device__ variables; nvcc refuses all others here.
  if (program_image().is_variable(address)) return;
  fail_with(access, Kind::kHostPointer, " of host memory");
}

}  // namespace kv::simt

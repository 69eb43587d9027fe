#include "simt/runtime/memory/other_memory.h"

#include <iterator>
#include <map>

#include "simt/runtime/core/block.h"
#include "simt/runtime/memory/program_image.h"

// The linker defines these: the ends of the section of __constant__ variables, if there is one.
extern "C" {
extern const char __start_kv_simt_constant[] __attribute__((weak));
extern const char __stop_kv_simt_constant[] __attribute__((weak));
}

namespace kv::simt {
namespace {

constexpr std::uintptr_t kFirstPage = 4096;

std::map<std::uintptr_t, std::size_t> registered;  // bytes by address

bool is_in_registered(std::uintptr_t address) {
  const auto after = registered.upper_bound(address);
  if (after == registered.begin()) return false;
  const auto& [first, bytes] = *std::prev(after);
  return address - first < bytes;
}

bool is_constant(std::uintptr_t address) {
  const auto first = reinterpret_cast<std::uintptr_t>(__start_kv_simt_constant);
  const auto end = reinterpret_cast<std::uintptr_t>(__stop_kv_simt_constant);
  return address >= first && address < end;
}

[[noreturn]] void fail_with(const MemoryAccess& access, Kind kind, const std::string& where) {
  const PauseChecks pause;
  fail(cudaErrorIllegalAddress,
       {.kind = kind, .site = access.site, .what = thread_and_access(access) + where});
}

}  // namespace

void access_other(const MemoryAccess& access) {
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
  // A variable of the program is a __device__ variable here; nvcc accepts no other.
  if (program_image().is_variable(address) || is_in_registered(address)) return;
  fail_with(access, Kind::kHostPointer, " of host memory");
}

void register_host(const void* memory, std::size_t bytes) {
  registered[reinterpret_cast<std::uintptr_t>(memory)] = bytes;
}

void unregister_host(const void* memory) {
  registered.erase(reinterpret_cast<std::uintptr_t>(memory));
}

bool is_registered(const void* memory) {
  return is_in_registered(reinterpret_cast<std::uintptr_t>(memory));
}

}  // namespace kv::simt

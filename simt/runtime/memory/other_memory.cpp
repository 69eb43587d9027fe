#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

#include "simt/runtime/core/block.h"
#include "simt/runtime/core/map_memory.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/program_image.h"
#include "simt/runtime/memory/shared_memory.h"
#include "simt/runtime/memory/variables.h"

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

const char* space_of(Kind kind) {
  switch (kind) {
    case Kind::kOthersLocalMemory:
    case Kind::kStackOverflow:
      return "local";
    case Kind::kConstantWrite:
    case Kind::kUnsetConstant:
      return "constant";
    default:
      return "global";
  }
}

[[noreturn]] void fail_with(const MemoryAccess& access, Kind kind, const std::string& where) {
  const PauseChecks pause;
  fail(cudaErrorIllegalAddress, finding_of(kind, access, space_of(kind), where));
}

void check_filled(const MemoryAccess& access) {
  if (variables().is_filled(access.address)) return;
  const PauseChecks pause;
  findings.add(finding_of(Kind::kUnsetConstant, access, space_of(Kind::kUnsetConstant),
                          " of " + variables().name_at(access.address) +
                              ", constant memory that the host has not filled"));
}

// Why not a pointer to dynamic shared memory: extern __shared__ outside of a function becomes one.
bool is_of_host(std::uintptr_t address) {
  const Symbol* const variable = variables().of_host(address);
  if (variable == nullptr) return false;
  std::uintptr_t value = 0;
  if (variable->bytes == sizeof value)
    std::memcpy(&value, reinterpret_cast<void*>(address), sizeof value);
  return !shared_memory.is_dynamic(value);
}

// Not the runtime's own memory, and not an address where nothing is.
bool is_memory_of_host(std::uintptr_t address) {
  if (is_mapped_by_runtime(address)) return false;
  std::ifstream maps("/proc/self/maps");
  std::uintptr_t first = 0, end = 0;
  char dash = 0;
  for (std::string rest; maps >> std::hex >> first >> dash >> end && std::getline(maps, rest);) {
    if (address >= first && address < end) return true;
  }
  return false;
}

[[noreturn]] void fail_far_away(const MemoryAccess& access) {
  const PauseChecks pause;
  Finding finding = finding_of(Kind::kOutOfBounds, access, space_of(Kind::kOutOfBounds),
                               " at an address where nothing is: it is not a pointer");
  if (const Allocation* const nearest = arena.closest(access.address)) {
    finding = finding_of(Kind::kOutOfBounds, access, space_of(Kind::kOutOfBounds),
                         " " + distance_to(*nearest, access.address) +
                             ": an index is negative, or it has overflowed");
    finding.notes = {{"it was allocated here", nearest->allocated_at}};
  }
  fail(cudaErrorIllegalAddress, std::move(finding));
}

}  // namespace

void access_other(const MemoryAccess& access) {
  const std::uintptr_t address = access.address;
  if (access.is_atomic()) order_by_atomic(address, access.reads(), access.writes());
  if (address < kFirstPage) {
    fail_with(access, Kind::kNullPointer,
              " at address " + std::to_string(address) + ": through a null pointer");
  }
  if (machine.stacks.contains(address)) {
    fail_with(access, Kind::kOthersLocalMemory, " in the local memory of another thread");
  }
  // Why before the constants: those of a library may lie there.
  const bool is_registered = is_in_registered(address);
  const bool is_beside_shared =
      shared_memory.array_beside(address) || shared_memory.is_far_from_dynamic(address);
  if (!is_registered && is_beside_shared) report_out_of_shared(access);
  const Owner owner = variables().owner(address);
  if (owner == Owner::kDevice) return;
  if (is_of_host(address)) {
    fail_with(access, Kind::kHostVariable,
              " of " + variables().name_at(address) + ", a variable of the host");
  }
  if (owner != Owner::kNone || program_image().is_read_only(address)) {
    if (access.writes()) fail_with(access, Kind::kConstantWrite, " of constant memory");
    if (owner == Owner::kUnsetConstant) check_filled(access);
    return;
  }
  if (program_image().is_variable(address) || is_registered) return;
  if (!is_memory_of_host(address)) fail_far_away(access);
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

#include "simt/runtime/memory/shared_memory.h"

#include <algorithm>

#include "simt/runtime/core/scheduler.h"
#include "simt/runtime/memory/shared_races.h"
#include "simt/runtime/profile/profile.h"

namespace kv::simt {
namespace {

alignas(1024) std::byte dynamic_memory[kMaxSharedBytes];

[[noreturn]] void report_out_of_bounds(const MemoryAccess& access) {
  const Unwatched unwatched;
  Finding finding{.kind = Kind::kOutOfBounds, .site = access.site, .what = who_does(access)};
  if (shared_memory.is_dynamic(access.address)) {
    finding.what += " at byte " + std::to_string(shared_memory.offset(access.address)) +
                    " of dynamic shared memory, and the launch asked for " +
                    std::to_string(machine.shape.shared_bytes) + " bytes";
  } else {
    finding.what += " of shared memory between its arrays";
  }
  fail(cudaErrorIllegalAddress, std::move(finding));
}

[[noreturn]] void report_misaligned(const MemoryAccess& access) {
  const Unwatched unwatched;
  fail(cudaErrorMisalignedAddress,
       {.kind = Kind::kMisaligned,
        .site = access.site,
        .what = who_does(access) + " of " + shared_memory.name_at(access.address) +
                ", at an address that is no multiple of " + std::to_string(access.bytes)});
}

bool is_in_bounds(const MemoryAccess& access) {
  if (shared_memory.is_dynamic(access.address)) {
    return shared_memory.offset(access.address) + access.bytes <= machine.shape.shared_bytes;
  }
  const Symbol* const array = shared_memory.array_at(access.address);
  return array != nullptr && access.address + access.bytes <= array->address + array->bytes;
}

}  // namespace

SharedMemory shared_memory;

void* dynamic_shared() {
  return dynamic_memory;
}

void SharedMemory::start() {
  dynamic_ = {reinterpret_cast<std::uintptr_t>(dynamic_memory), kMaxSharedBytes};
  arrays_ = program_image().thread_locals();
  cells_.resize((dynamic_.bytes + arrays_.bytes) / kCellBytes + 1);
  owners_.resize(arrays_.bytes);
  for (const Symbol& array : program_image().shared_arrays()) {
    const auto first = owners_.begin() + static_cast<std::ptrdiff_t>(array.address - arrays_.first);
    std::fill_n(first, array.bytes, &array);
  }
}

const Symbol* SharedMemory::array_at(std::uintptr_t address) const {
  return arrays_.contains(address) ? owners_[address - arrays_.first] : nullptr;
}

std::string SharedMemory::name_at(std::uintptr_t address) const {
  if (is_dynamic(address)) {
    return "byte " + std::to_string(offset(address)) + " of dynamic shared memory";
  }
  const Symbol* const array = array_at(address);
  if (array == nullptr) return "shared memory";
  return "byte " + std::to_string(address - array->address) + " of shared array '" + array->name +
         "'";
}

void access_shared(const MemoryAccess& access) {
  if (!is_in_bounds(access)) {
    report_out_of_bounds(access);
  }
  const Symbol* const array = shared_memory.array_at(access.address);
  if (array != nullptr && array->is_guard) return;
  if (!access.is_aligned()) report_misaligned(access);
  if (access.kind == Access::kAtomic) order_by_atomic(access.address);
  check_shared_race(access);
  if (machine.options.has_profile) profile.count_shared(access);
}

}  // namespace kv::simt

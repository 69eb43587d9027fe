// cudaMemcpy and cudaMemset.

#include <cstring>

#include "simt/runtime/host/device.h"
#include "simt/runtime/host/refuse.h"
#include "simt/runtime/memory/arena.h"

namespace kv::simt {
namespace {

std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// Empty: these bytes of device memory may be touched.
std::string why_not(std::uintptr_t address, std::size_t bytes) {
  const std::size_t offset = arena.offset(address);
  const Allocation* const owner = arena.owner(offset);
  if (owner == nullptr) return "device memory that was never allocated";
  if (owner->freed_at != nullptr) return "device memory that has been freed";
  if (owner->contains(offset, bytes)) return "";
  return std::to_string(bytes) + " bytes at byte " + std::to_string(offset - owner->offset) +
         " of an allocation of " + std::to_string(owner->bytes) + " bytes";
}

cudaError_t check_device_range(const char* call,
                               const void* pointer,
                               std::size_t bytes,
                               Site site) {
  if (!arena.contains(address_of(pointer)) || bytes == 0) return cudaSuccess;
  const std::string reason = why_not(address_of(pointer), bytes);
  if (reason.empty()) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, site, std::string(call) + " touches " + reason);
}

bool is_device(const void* pointer) {
  return arena.contains(address_of(pointer));
}

// The direction has to fit the pointers. __constant__ and __device__ variables are device memory,
// but lie in the program; so only an arena pointer in a host's place is wrong for sure.
bool fits(const void* to, const void* from, cudaMemcpyKind kind) {
  const bool to_host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
  const bool from_host = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
  return !(to_host && is_device(to)) && !(from_host && is_device(from));
}

void check_copied_bytes(const void* from, std::size_t bytes, Site site) {
  const std::size_t offset = arena.offset(address_of(from));
  const std::size_t first = arena.first_uninitialized(offset, bytes);
  if (first == bytes) return;
  const Allocation& owner = *arena.owner(offset);
  findings.add({.kind = Kind::kUninitialized,
                .site = site,
                .what = "cudaMemcpy brings bytes to the host that nobody has written, from byte " +
                        std::to_string(offset - owner.offset + first) + " of an allocation of " +
                        std::to_string(owner.bytes) + " bytes",
                .notes = {{"it was allocated here", owner.allocated_at}}});
}

void follow_initialized(void* to, const void* from, std::size_t bytes, Site site) {
  if (is_device(to) && is_device(from)) {
    arena.copy_initialized(arena.offset(address_of(to)), arena.offset(address_of(from)), bytes);
  } else if (is_device(to)) {
    arena.set_initialized(arena.offset(address_of(to)), bytes);
  } else if (is_device(from)) {
    check_copied_bytes(from, bytes, site);
  }
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Site site) {
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) {
    return refuse(cudaErrorInvalidValue, site, "cudaMemcpy of a null pointer");
  }
  if (!fits(to, from, kind)) {
    return refuse(cudaErrorInvalidValue, site,
                  "the direction given to cudaMemcpy does not fit its pointers");
  }
  for (const void* const end : {static_cast<const void*>(to), from}) {
    const cudaError_t error = check_device_range("cudaMemcpy", end, bytes, site);
    if (error != cudaSuccess) return error;
  }
  std::memmove(to, from, bytes);
  follow_initialized(to, from, bytes, site);
  return cudaSuccess;
}

cudaError_t set(void* pointer, int value, std::size_t bytes, Site site) {
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (bytes == 0) return cudaSuccess;
  if (!is_device(pointer)) {
    return refuse(cudaErrorInvalidValue, site, "cudaMemset of memory that is not the device's");
  }
  const cudaError_t error = check_device_range("cudaMemset", pointer, bytes, site);
  if (error != cudaSuccess) return error;
  std::memset(pointer, value, bytes);
  arena.set_initialized(arena.offset(address_of(pointer)), bytes);
  return cudaSuccess;
}

}  // namespace
}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  return copy(to, from, bytes, kind, __builtin_return_address(0));
}

cudaError_t cudaMemcpyAsync(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return copy(to, from, bytes, kind, __builtin_return_address(0));
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  return set(pointer, value, bytes, __builtin_return_address(0));
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t) {
  return set(pointer, value, bytes, __builtin_return_address(0));
}

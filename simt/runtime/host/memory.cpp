// Device memory as the host uses it: cudaMalloc, cudaFree, cudaMemcpy, cudaMemset. Rows are in
// rows.cpp, pinned memory in pinned.cpp.

#include <cstdlib>
#include <cstring>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/host/streams.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/global_memory.h"
#include "simt/runtime/memory/padding.h"
#include "simt/runtime/memory/stream_order.h"
#include "simt/runtime/memory/variables.h"

namespace kv::simt {
namespace {

cudaError_t allocate(void** pointer, std::size_t bytes, bool is_managed, Site site) {
  device.start();
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (pointer == nullptr) {
    return device.refuse(cudaErrorInvalidValue, site,
                         "cudaMalloc needs a place for the pointer, and got a null pointer");
  }
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = arena.allocate(bytes, is_managed, site);
  if (*pointer != nullptr) return cudaSuccess;
  return device.refuse(cudaErrorMemoryAllocation, site,
                       "device memory has no room for " + std::to_string(bytes) + " more bytes");
}

cudaError_t free_device(void* pointer, Site site) {
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (pointer == nullptr) return cudaSuccess;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocation* const owner = arena.contains(address) ? arena.owner(arena.offset(address)) : nullptr;
  if (owner == nullptr || owner->offset != arena.offset(address)) {
    return device.refuse(cudaErrorInvalidValue, site,
                         "cudaFree of a pointer that is not from cudaMalloc");
  }
  if (owner->freed_at != nullptr) {
    return device.refuse(cudaErrorInvalidValue, site, "cudaFree of memory that is already free",
                         {{"it was freed here", owner->freed_at}});
  }
  if (owner->is_pinned) {
    return device.refuse(cudaErrorInvalidValue, site,
                         "cudaFree of memory that is from cudaMallocHost: use cudaFreeHost");
  }
  arena.free(*owner, site);
  stream_order.host_waits_for_all();
  return device.synchronize();
}

std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// Empty when these bytes are allocated.
std::string why_outside(std::uintptr_t address, std::size_t bytes) {
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
  const std::string reason = why_outside(address_of(pointer), bytes);
  if (reason.empty()) return cudaSuccess;
  return device.refuse(cudaErrorInvalidValue, site, std::string(call) + " touches " + reason);
}

bool is_device(const void* pointer) {
  const Allocation* const owner = owner_of(pointer);
  return arena.contains(address_of(pointer)) && (owner == nullptr || !owner->is_pinned);
}

bool is_only_device(const void* pointer) {
  const Allocation* const owner = owner_of(pointer);
  return is_device(pointer) && (owner == nullptr || !owner->is_managed);
}

// On the host's stack or heap. Why no variables: they may be the device's.
bool is_only_host(const void* pointer) {
  return !arena.contains(address_of(pointer)) && !is_registered(pointer) &&
         !program_image().is_variable(address_of(pointer));
}

// Whether the direction fits the pointers. __constant__ and __device__ variables are device memory,
// but here they are variables of the program; so only an arena pointer on the host's side is surely
// wrong.
bool fits(const void* to, const void* from, cudaMemcpyKind kind) {
  const bool to_host = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost;
  const bool from_host = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return !(to_host && is_only_device(to)) && !(from_host && is_only_device(from)) &&
         !(from_device && is_only_host(from));
}

void check_copied_bytes(const void* from, std::size_t bytes, Site site) {
  const std::size_t offset = arena.offset(address_of(from));
  if (arena.first_uninitialized(offset, bytes) == bytes) return;
  arena.find_unseen_writes(offset, bytes);
  const std::size_t first = arena.first_uninitialized(offset, bytes);
  const auto is_written = [](std::size_t at) { return arena.is_initialized(at, 1); };
  if (first == bytes || is_only_padding_of_elements({offset, offset + bytes}, is_written)) return;
  const Allocation& owner = *arena.owner(offset);
  findings.add({.kind = Kind::kUninitialized,
                .site = site,
                .what = "cudaMemcpy copies bytes to the host that were never written, from byte " +
                        std::to_string(offset - owner.offset + first) + " of an allocation of " +
                        std::to_string(owner.bytes) + " bytes",
                .notes = {{"it was allocated here", owner.allocated_at}}});
}

void note_use(const void* pointer, std::size_t bytes, bool writes) {
  if (!stream_order.is_needed() || !is_device(pointer)) return;
  stream_order.use(arena.offset(address_of(pointer)), bytes, writes, nullptr);
}

void follow_initialized(void* to, const void* from, std::size_t bytes, Site site) {
  if (is_device(to) && is_device(from)) {
    arena.find_unseen_writes(arena.offset(address_of(from)), bytes);
    arena.copy_initialized(arena.offset(address_of(to)), arena.offset(address_of(from)), bytes);
  } else if (is_device(to)) {
    arena.set_initialized(arena.offset(address_of(to)), bytes);
  } else if (is_device(from)) {
    check_copied_bytes(from, bytes, site);
  }
}

}  // namespace

Allocation* owner_of(const void* pointer) {
  return arena.contains(address_of(pointer)) ? arena.owner(arena.offset(address_of(pointer)))
                                             : nullptr;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, Site site) {
  device.start();
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (bytes == 0) return cudaSuccess;
  if (to == nullptr || from == nullptr) {
    return device.refuse(cudaErrorInvalidValue, site, "cudaMemcpy of a null pointer");
  }
  if (!fits(to, from, kind)) {
    return device.refuse(cudaErrorInvalidValue, site,
                         "the direction given to cudaMemcpy does not fit its pointers");
  }
  for (const void* const end : {static_cast<const void*>(to), from}) {
    const cudaError_t error = check_device_range("cudaMemcpy", end, bytes, site);
    if (error != cudaSuccess) return error;
  }
  note_use(from, bytes, false);
  note_use(to, bytes, true);
  std::memmove(to, from, bytes);
  variables().fill(address_of(to), bytes);
  follow_initialized(to, from, bytes, site);
  return cudaSuccess;
}

cudaError_t set(void* pointer, int value, std::size_t bytes, Site site) {
  device.start();
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (bytes == 0) return cudaSuccess;
  if (!arena.contains(address_of(pointer))) {
    return device.refuse(cudaErrorInvalidValue, site,
                         "cudaMemset of memory that is not the device's");
  }
  const cudaError_t error = check_device_range("cudaMemset", pointer, bytes, site);
  if (error != cudaSuccess) return error;
  note_use(pointer, bytes, true);
  std::memset(pointer, value, bytes);
  arena.set_initialized(arena.offset(address_of(pointer)), bytes);
  return cudaSuccess;
}

cudaError_t allocate(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes, false, __builtin_return_address(0));
}

cudaError_t allocate_managed(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes, true, __builtin_return_address(0));
}

cudaError_t copy_symbol(
    const SymbolPlace& place, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Site site = __builtin_return_address(0);
  if (place.offset > place.size || bytes > place.size - place.offset) {
    return device.refuse(
        cudaErrorInvalidValue, site,
        "this copy of " + std::to_string(bytes) + " bytes at byte " + std::to_string(place.offset) +
            " is larger than the variable, which has " + std::to_string(place.size) + " bytes");
  }
  stream_order.begin_work(0, site);
  stream_order.host_waits(stream_order.clock_of(0));
  device.synchronize();
  // Why: the direction has a default, and with it GPUs copy between two places on the device, too.
  const bool is_on_device = is_only_device(to == nullptr ? from : to);
  const bool has_default =
      kind == (to == nullptr ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
  if (is_on_device && has_default) kind = cudaMemcpyDeviceToDevice;
  char* const at = static_cast<char*>(const_cast<void*>(place.variable)) + place.offset;
  return copy(to == nullptr ? at : to, from == nullptr ? at : from, bytes, kind, site);
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaFree(void* pointer) {
  return free_device(pointer, __builtin_return_address(0));
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = arena.bytes_free_told();
  *total = arena.bytes_told();
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  const Site site = __builtin_return_address(0);
  stream_order.begin_work(0, site);
  stream_order.host_waits(stream_order.clock_of(0));
  device.synchronize();
  return copy(to, from, bytes, kind, site);
}

cudaError_t cudaMemcpyAsync(
    void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  const Site site = __builtin_return_address(0);
  const Work work = [=] {
    const cudaError_t error = copy(to, from, bytes, kind, site);
    if (error == cudaSuccess) device.add_pending_copy(to, bytes, site);
    return error;
  };
  return submit(stream, work, site);
}

cudaError_t cudaMemset(void* pointer, int value, std::size_t bytes) {
  stream_order.begin_work(0, __builtin_return_address(0));
  return set(pointer, value, bytes, __builtin_return_address(0));
}

cudaError_t cudaMemsetAsync(void* pointer, int value, std::size_t bytes, cudaStream_t stream) {
  const Site site = __builtin_return_address(0);
  return submit(
      stream, [=] { return set(pointer, value, bytes, site); }, site);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  const Site site = __builtin_return_address(0);
  return submit(
      stream, [=] { return free_device(pointer, site); }, site);
}

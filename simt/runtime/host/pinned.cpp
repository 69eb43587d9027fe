// Memory that both sides use: pinned memory of the host, and hints about managed memory.

#include <cstring>

#include "simt/host_memory.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/global_memory.h"

namespace kv::simt {
namespace {

cudaError_t require_managed(const void* memory, const char* call, Site site) {
  const Allocation* const owner = owner_of(memory);
  if (owner != nullptr && owner->is_managed) return cudaSuccess;
  return device.refuse(cudaErrorInvalidValue, site,
                       std::string(call) + " needs memory from cudaMallocManaged");
}

}  // namespace

// Why every byte counts as written: library functions fill it unseen, as fread does.
cudaError_t allocate_host(void** pointer, std::size_t bytes) {
  device.start();
  *pointer = arena.allocate(bytes, true, __builtin_return_address(0));
  if (*pointer == nullptr) return device.set_error(cudaErrorMemoryAllocation);
  arena.allocations().back().is_pinned = true;
  arena.set_initialized(arena.offset(reinterpret_cast<std::uintptr_t>(*pointer)), bytes);
  return cudaSuccess;
}

cudaError_t device_pointer_of(void** pointer, void* host) {
  *pointer = host;
  const Allocation* const owner = owner_of(host);
  const bool is_known = (owner != nullptr && owner->is_pinned) || is_registered(host);
  return is_known ? cudaSuccess
                  : device.refuse(cudaErrorInvalidValue, __builtin_return_address(0),
                                  "cudaHostGetDevicePointer needs memory from cudaHostAlloc or "
                                  "cudaHostRegister");
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaFreeHost(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  Allocation* const owner = owner_of(pointer);
  if (owner == nullptr || !owner->is_pinned || owner->freed_at != nullptr) {
    return device.refuse(cudaErrorInvalidValue, __builtin_return_address(0),
                         "cudaFreeHost of a pointer that is not from cudaMallocHost");
  }
  arena.free(*owner, __builtin_return_address(0));
  return device.synchronize();
}

cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned) {
  if (is_registered(memory)) return device.set_error(cudaErrorHostMemoryAlreadyRegistered);
  register_host(memory, bytes);
  return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* memory) {
  if (!is_registered(memory)) return device.set_error(cudaErrorHostMemoryNotRegistered);
  unregister_host(memory);
  return cudaSuccess;
}

cudaError_t cudaMemPrefetchAsync(const void* memory, std::size_t, int, cudaStream_t) {
  return require_managed(memory, "cudaMemPrefetchAsync", __builtin_return_address(0));
}

cudaError_t cudaMemPrefetchAsync(
    const void* memory, std::size_t, cudaMemLocation, unsigned, cudaStream_t) {
  return require_managed(memory, "cudaMemPrefetchAsync", __builtin_return_address(0));
}

cudaError_t cudaMemAdvise(const void* memory, std::size_t, cudaMemoryAdvise, int) {
  return require_managed(memory, "cudaMemAdvise", __builtin_return_address(0));
}

cudaError_t cudaMemAdvise(const void* memory, std::size_t, cudaMemoryAdvise, cudaMemLocation) {
  return require_managed(memory, "cudaMemAdvise", __builtin_return_address(0));
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  void* const same = const_cast<void*>(pointer);
  const Allocation* const owner = owner_of(pointer);
  *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, same};
  if (is_registered(pointer)) *attributes = {cudaMemoryTypeHost, 0, same, same};
  if (owner == nullptr || owner->freed_at != nullptr) return cudaSuccess;
  const bool is_on_both = owner->is_managed;
  attributes->type = owner->is_pinned ? cudaMemoryTypeHost
                     : is_on_both     ? cudaMemoryTypeManaged
                                      : cudaMemoryTypeDevice;
  attributes->device = 0;
  attributes->devicePointer = same;
  attributes->hostPointer = is_on_both ? same : nullptr;
  return cudaSuccess;
}

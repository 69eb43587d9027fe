// cudaMalloc, cudaFree and their like.

#include <cstdlib>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/host/refuse.h"
#include "simt/runtime/memory/arena.h"

namespace kv::simt {
namespace {

cudaError_t allocate(void** pointer, std::size_t bytes, bool is_managed, Site site) {
  device.start();
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (pointer == nullptr) {
    return refuse(cudaErrorInvalidValue, site, "cudaMalloc has no place to put the pointer");
  }
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  *pointer = arena.allocate(bytes, is_managed, site);
  if (*pointer != nullptr) return cudaSuccess;
  return refuse(cudaErrorMemoryAllocation, site,
                "the device has no room for " + std::to_string(bytes) + " bytes more");
}

cudaError_t free_device(void* pointer, Site site) {
  if (device.sticky_error() != cudaSuccess) return device.sticky_error();
  if (pointer == nullptr) return cudaSuccess;
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocation* const owner = arena.contains(address) ? arena.owner(arena.offset(address)) : nullptr;
  if (owner == nullptr || owner->offset != arena.offset(address)) {
    return refuse(cudaErrorInvalidValue, site, "cudaFree of a pointer that cudaMalloc never gave");
  }
  if (owner->freed_at != nullptr) {
    return refuse(cudaErrorInvalidValue, site, "cudaFree of memory that is free already",
                  {{"it was freed here", owner->freed_at}});
  }
  arena.free(*owner, site);
  return cudaSuccess;
}

}  // namespace

cudaError_t refuse(cudaError_t error, Site site, std::string what, std::vector<Note> notes) {
  device.start();
  findings.add(
      {.kind = Kind::kBadCall, .site = site, .what = std::move(what), .notes = std::move(notes)});
  return device.set_error(error);
}

cudaError_t allocate(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes, false, __builtin_return_address(0));
}

cudaError_t allocate_managed(void** pointer, std::size_t bytes) {
  return allocate(pointer, bytes, true, __builtin_return_address(0));
}

cudaError_t allocate_host(void** pointer, std::size_t bytes) {
  *pointer = std::malloc(bytes);
  return device.set_error(*pointer == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}

// After a failed launch nobody can free anything.
void find_leaks() {
  if (device.sticky_error() != cudaSuccess) return;
  for (const Allocation& allocation : arena.allocations()) {
    if (allocation.freed_at != nullptr) continue;
    findings.add({.kind = Kind::kLeak,
                  .site = allocation.allocated_at,
                  .what = "the " + std::to_string(allocation.bytes) +
                          " bytes that were allocated here are never freed"});
  }
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaFree(void* pointer) {
  return free_device(pointer, __builtin_return_address(0));
}

cudaError_t cudaFreeHost(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *free = arena.bytes_free();
  *total = arena.bytes();
  return cudaSuccess;
}

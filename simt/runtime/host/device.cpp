#include "simt/runtime/host/device.h"

#include <cstdlib>
#include <cstring>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/host/signals.h"
#include "simt/runtime/host/timer.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/shared_memory.h"
#include "simt/runtime/report/report.h"

namespace kv::simt {
namespace {

// After a failed launch nothing can be freed.
void report_leaks() {
  if (device.sticky_error() != cudaSuccess) return;
  for (const Allocation& allocation : arena.allocations()) {
    if (allocation.freed_at != nullptr) continue;
    findings.add({.kind = Kind::kLeak,
                  .site = allocation.allocated_at,
                  .what = "the " + std::to_string(allocation.bytes) +
                          " bytes that were allocated here are never freed"});
  }
}

}  // namespace

Device device;

void Device::start() {
  if (is_started_) return;
  is_started_ = true;
  machine.options = options_from_environment();
  shared_memory.start();
  for (const Symbol& kernel : program_image().functions_with_more_shared(kSharedBytes)) {
    findings.add({.kind = Kind::kSharedMemorySize,
                  .site = reinterpret_cast<Site>(kernel.address + 1),
                  .what = kernel.name + " has " + std::to_string(kernel.bytes) +
                          " bytes of static shared memory"});
  }
  install_signal_handlers();
  install_timer();
  std::atexit([] {
    report_leaks();
    write_report();
  });
}

cudaError_t Device::set_error(cudaError_t error) {
  if (error != cudaSuccess) last_error_ = error;
  return error;
}

cudaError_t Device::set_sticky_error(cudaError_t error) {
  sticky_error_ = error;
  return set_error(error);
}

cudaError_t Device::refuse(cudaError_t error,
                           Site site,
                           std::string what,
                           std::vector<Note> notes) {
  start();
  findings.add(
      {.kind = Kind::kBadCall, .site = site, .what = std::move(what), .notes = std::move(notes)});
  return set_error(error);
}

cudaError_t Device::take_error() {
  const cudaError_t error = last_error_;
  last_error_ = sticky_error_;
  return error;
}

cudaError_t Device::synchronize() {
  synchronized_launch_ = machine.launch_number;
  pending_copies_.clear();
  return sticky_error_;
}

void Device::add_pending_copy(const void* to, std::size_t bytes, Site site) {
  const auto after = pinned_.upper_bound(to);
  if (after == pinned_.begin()) return;
  const auto& [memory, size] = *std::prev(after);
  const Range pinned{reinterpret_cast<std::uintptr_t>(memory), size};
  const auto address = reinterpret_cast<std::uintptr_t>(to);
  if (pinned.contains(address)) pending_copies_.push_back({{address, bytes}, site});
}

Site Device::pending_copy_at(std::uintptr_t address) const {
  for (const PendingCopy& copy : pending_copies_) {
    if (copy.to.contains(address)) return copy.site;
  }
  return nullptr;
}

void Device::reset() {
  synchronize();
  last_error_ = sticky_error_ = cudaSuccess;
  for (Allocation& allocation : arena.allocations()) {
    if (allocation.freed_at == nullptr) arena.free(allocation, __builtin_return_address(0));
  }
}

std::size_t Device::max_shared_bytes(const void* kernel) const {
  const auto known = max_shared_bytes_.find(kernel);
  return known == max_shared_bytes_.end() ? kSharedBytes : known->second;
}

void Device::set_max_shared_bytes(const void* kernel, std::size_t bytes) {
  max_shared_bytes_[kernel] = bytes;
}

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > kMaxSharedBytes) {
    return device.refuse(cudaErrorInvalidValue, __builtin_return_address(0),
                         "a block may have at most " + std::to_string(kMaxSharedBytes) +
                             " bytes of dynamic shared memory, not " + std::to_string(value));
  }
  device.set_max_shared_bytes(function, static_cast<std::size_t>(value));
  return cudaSuccess;
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaDeviceSynchronize() {
  return device.synchronize();
}

cudaError_t cudaDeviceReset() {
  device.reset();
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int* number) {
  *number = 0;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int number) {
  return device.set_error(number == 0 ? cudaSuccess : cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int number) {
  if (number != 0) return device.set_error(cudaErrorInvalidDevice);
  *properties = {};
  std::strcpy(properties->name, "PagedLab SIMT checker (runs on the CPU)");
  properties->totalGlobalMem = arena.bytes();
  properties->sharedMemPerBlock = kSharedBytes;
  properties->sharedMemPerBlockOptin = kMaxSharedBytes;
  properties->sharedMemPerMultiprocessor = kMaxSharedBytes + 1024;
  properties->totalConstMem = 64 * 1024;
  properties->regsPerBlock = 65536;
  properties->warpSize = 32;
  properties->maxThreadsPerBlock = kMaxThreads;
  properties->maxThreadsPerMultiProcessor = 2048;
  const int largest_block[] = {1024, 1024, 64};
  const int largest_grid[] = {0x7fffffff, 65535, 65535};
  std::memcpy(properties->maxThreadsDim, largest_block, sizeof largest_block);
  std::memcpy(properties->maxGridSize, largest_grid, sizeof largest_grid);
  properties->multiProcessorCount = 1;  // one block at a time
  properties->major = 8;
  properties->minor = 0;
  properties->concurrentKernels = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int number) {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, number) != cudaSuccess) return cudaErrorInvalidDevice;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = properties.maxThreadsPerBlock;
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlock:
      *value = static_cast<int>(properties.sharedMemPerBlock);
      return cudaSuccess;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
      *value = static_cast<int>(properties.sharedMemPerBlockOptin);
      return cudaSuccess;
    case cudaDevAttrWarpSize:
      *value = properties.warpSize;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = properties.multiProcessorCount;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = properties.major;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = properties.minor;
      return cudaSuccess;
  }
  return device.set_error(cudaErrorInvalidValue);
}

cudaError_t cudaDriverGetVersion(int* version) {
  return cudaRuntimeGetVersion(version);
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 12000;
  return cudaSuccess;
}

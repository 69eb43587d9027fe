// The device, and how its kernels are configured.

#include <cstring>

#include "simt/runtime/core/machine.h"
#include "simt/runtime/host/device.h"
#include "simt/runtime/host/refuse.h"
#include "simt/runtime/memory/arena.h"
#include "simt/runtime/memory/shared_memory.h"

namespace kv::simt {

cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value) {
  if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaSuccess;
  if (value < 0 || static_cast<std::size_t>(value) > kMaxSharedBytes) {
    return refuse(cudaErrorInvalidValue, __builtin_return_address(0),
                  "a block may have at most " + std::to_string(kMaxSharedBytes) +
                      " bytes of dynamic shared memory, not " + std::to_string(value));
  }
  device.set_max_shared_bytes(function, static_cast<std::size_t>(value));
  return cudaSuccess;
}

}  // namespace kv::simt

using namespace kv::simt;

cudaError_t cudaDeviceSynchronize() {
  return device.sticky_error();
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

#pragma once
// What a program asks CUDA about kernels and the device, and hints that change no result.

#include "simt/host_api.h"

struct cudaFuncAttributes {
  std::size_t sharedSizeBytes;
  std::size_t constSizeBytes;
  std::size_t localSizeBytes;
  int maxThreadsPerBlock;
  int numRegs;
  int ptxVersion;
  int binaryVersion;
  int maxDynamicSharedSizeBytes;
};
enum cudaFuncCache {
  cudaFuncCachePreferNone = 0,
  cudaFuncCachePreferShared = 1,
  cudaFuncCachePreferL1 = 2,
  cudaFuncCachePreferEqual = 3,
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2,
};
enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitMaxL2FetchGranularity = 5,
  cudaLimitPersistingL2CacheSize = 6,
};

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config);
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value);
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit);
cudaError_t cudaSetDeviceFlags(unsigned flags);
cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer);
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted);

constexpr unsigned cudaDeviceScheduleAuto = 0;
constexpr unsigned cudaDeviceScheduleSpin = 1;
constexpr unsigned cudaDeviceScheduleYield = 2;
constexpr unsigned cudaDeviceScheduleBlockingSync = 4;
constexpr unsigned cudaDeviceMapHost = 8;

namespace kv::simt {
cudaError_t function_attributes(cudaFuncAttributes* attributes, const void* function);
cudaError_t blocks_per_multiprocessor(int* blocks,
                                      const void* function,
                                      int block_size,
                                      std::size_t dynamic_bytes);
cudaError_t shared_bytes_of_each(std::size_t* bytes,
                                 const void* function,
                                 int num_blocks,
                                 int block_size);
}  // namespace kv::simt

template <typename Kernel>
KV_SIMT_INLINE cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, Kernel* kernel) {
  return kv::simt::function_attributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <typename Kernel>
KV_SIMT_INLINE cudaError_t cudaFuncSetCacheConfig(Kernel*, cudaFuncCache) {
  return cudaSuccess;
}

// How many blocks fit on a multiprocessor. Here only threads and shared memory limit them, since
// only nvcc decides how many registers a kernel has.
template <typename Kernel>
KV_SIMT_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, Kernel* kernel, int block_size, std::size_t dynamic_bytes) {
  return kv::simt::blocks_per_multiprocessor(blocks, reinterpret_cast<const void*>(kernel),
                                             block_size, dynamic_bytes);
}
template <typename Kernel>
KV_SIMT_INLINE cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, Kernel* kernel, int block_size, std::size_t dynamic_bytes, unsigned) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, block_size, dynamic_bytes);
}
// The dynamic shared memory with which so many blocks still fit.
template <typename Kernel>
KV_SIMT_INLINE cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes,
                                                                     Kernel* kernel,
                                                                     int num_blocks,
                                                                     int block_size) {
  return kv::simt::shared_bytes_of_each(bytes, reinterpret_cast<const void*>(kernel), num_blocks,
                                        block_size);
}

// The block size with the most threads at work; `bytes_for` gives its dynamic shared memory.
template <typename Kernel, typename BytesFor>
KV_SIMT_INLINE cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(
    int* min_grid, int* block_size, Kernel* kernel, BytesFor bytes_for, int limit = 0) {
  int best_threads = 0;
  for (int size = limit == 0 ? 1024 : limit; size >= 32; size -= 32) {
    int blocks = 0;
    const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
        &blocks, kernel, size, static_cast<std::size_t>(bytes_for(size)));
    if (error != cudaSuccess) return error;
    if (blocks * size <= best_threads) continue;
    best_threads = blocks * size;
    *min_grid = blocks;
    *block_size = size;
  }
  return cudaSuccess;
}
template <typename Kernel>
KV_SIMT_INLINE cudaError_t cudaOccupancyMaxPotentialBlockSize(
    int* min_grid, int* block_size, Kernel* kernel, std::size_t dynamic_bytes = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      min_grid, block_size, kernel, [=](int) { return dynamic_bytes; }, limit);
}

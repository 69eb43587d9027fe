#pragma once
// Memory pools and properties of streams: they change what a GPU keeps ready, and no result.

#include <cstdint>

#include "simt/host_api.h"
#include "simt/host_memory.h"

// The device has one, whose memory is given back at once. It keeps what a program sets.
namespace kv::simt {
struct MemoryPool {
  int may_reuse[3] = {1, 1, 1};
  std::uint64_t release_threshold = 0;
};
inline MemoryPool pool_of_device;
}  // namespace kv::simt
using cudaMemPool_t = kv::simt::MemoryPool*;

enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
};

KV_SIMT_INLINE cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  if (device != 0) return cudaErrorInvalidDevice;
  *pool = &kv::simt::pool_of_device;
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
KV_SIMT_INLINE cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t pool) {
  return pool == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}
// A release threshold has 64 bits, and the others are ints.
KV_SIMT_INLINE cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool,
                                                   cudaMemPoolAttr attribute,
                                                   void* value) {
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    pool->release_threshold = *static_cast<std::uint64_t*>(value);
  } else {
    pool->may_reuse[attribute - 1] = *static_cast<int*>(value);
  }
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool,
                                                   cudaMemPoolAttr attribute,
                                                   void* value) {
  if (pool == nullptr || value == nullptr) return cudaErrorInvalidValue;
  if (attribute == cudaMemPoolAttrReleaseThreshold) {
    *static_cast<std::uint64_t*>(value) = pool->release_threshold;
  } else {
    *static_cast<int*>(value) = pool->may_reuse[attribute - 1];
  }
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, std::size_t) {
  return cudaSuccess;
}
template <typename T>
KV_SIMT_INLINE cudaError_t
cudaMallocFromPoolAsync(T** memory, std::size_t bytes, cudaMemPool_t, cudaStream_t stream) {
  return cudaMallocAsync(memory, bytes, stream);
}

using cudaStreamAttrID = cudaLaunchAttributeID;
using cudaStreamAttrValue = cudaLaunchAttributeValue;
constexpr cudaStreamAttrID cudaStreamAttributeAccessPolicyWindow =
    cudaLaunchAttributeAccessPolicyWindow;
constexpr cudaStreamAttrID cudaStreamAttributeSynchronizationPolicy =
    cudaLaunchAttributeSynchronizationPolicy;
constexpr cudaStreamAttrID cudaStreamAttributePriority = cudaLaunchAttributePriority;

KV_SIMT_INLINE cudaError_t cudaStreamSetAttribute(cudaStream_t,
                                                  cudaStreamAttrID,
                                                  const cudaStreamAttrValue*) {
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaCtxResetPersistingL2Cache() {
  return cudaSuccess;
}

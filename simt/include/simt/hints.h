#pragma once
// Memory pools and properties of streams: they change what a GPU keeps ready, and no result.

#include "simt/host_api.h"
#include "simt/host_memory.h"

namespace kv::simt {
struct MemoryPool;
}  // namespace kv::simt
// The device has one, whose memory is given back at once.
using cudaMemPool_t = kv::simt::MemoryPool*;

enum cudaMemPoolAttr {
  cudaMemPoolReuseFollowEventDependencies = 1,
  cudaMemPoolReuseAllowOpportunistic = 2,
  cudaMemPoolReuseAllowInternalDependencies = 3,
  cudaMemPoolAttrReleaseThreshold = 4,
};

KV_SIMT_INLINE cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int) {
  *pool = nullptr;
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}
KV_SIMT_INLINE cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) {
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
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

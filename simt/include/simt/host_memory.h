#pragma once
// Memory and copies of CUDA's host interface beyond cudaMalloc and cudaMemcpy: rows with a pitch,
// allocations in the order of a stream, pinned memory and where a pointer points.

#include "simt/host_api.h"

enum cudaMemoryType {
  cudaMemoryTypeUnregistered = 0,
  cudaMemoryTypeHost = 1,
  cudaMemoryTypeDevice = 2,
  cudaMemoryTypeManaged = 3,
};
struct cudaPointerAttributes {
  cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly = 2,
  cudaMemAdviseSetPreferredLocation = 3,
  cudaMemAdviseUnsetPreferredLocation = 4,
  cudaMemAdviseSetAccessedBy = 5,
  cudaMemAdviseUnsetAccessedBy = 6,
};
constexpr int cudaCpuDeviceId = -1;
enum cudaMemLocationType {
  cudaMemLocationTypeInvalid = 0,
  cudaMemLocationTypeDevice = 1,
  cudaMemLocationTypeHost = 2,
};
struct cudaMemLocation {
  cudaMemLocationType type;
  int id;
};

constexpr unsigned cudaMemAttachGlobal = 1;
constexpr unsigned cudaMemAttachHost = 2;
constexpr unsigned cudaHostAllocPortable = 1;
constexpr unsigned cudaHostAllocMapped = 2;
constexpr unsigned cudaHostAllocWriteCombined = 4;
constexpr unsigned cudaHostRegisterDefault = 0;
constexpr unsigned cudaHostRegisterPortable = 1;
constexpr unsigned cudaHostRegisterMapped = 2;

// A copy of rows: `width` bytes of each of `height` rows.
cudaError_t cudaMemcpy2D(void* to,
                         std::size_t to_pitch,
                         const void* from,
                         std::size_t from_pitch,
                         std::size_t width,
                         std::size_t height,
                         cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void* to,
                              std::size_t to_pitch,
                              const void* from,
                              std::size_t from_pitch,
                              std::size_t width,
                              std::size_t height,
                              cudaMemcpyKind kind,
                              cudaStream_t stream = nullptr);
cudaError_t cudaMemset2D(
    void* device, std::size_t pitch, int value, std::size_t width, std::size_t height);
cudaError_t cudaMemset2DAsync(void* device,
                              std::size_t pitch,
                              int value,
                              std::size_t width,
                              std::size_t height,
                              cudaStream_t stream = nullptr);

cudaError_t cudaFreeAsync(void* device, cudaStream_t stream);
#if KV_SIMT_CUDA < 13
cudaError_t cudaMemPrefetchAsync(const void* memory,
                                 std::size_t bytes,
                                 int device,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* memory,
                          std::size_t bytes,
                          cudaMemoryAdvise advice,
                          int device);
#endif
cudaError_t cudaMemPrefetchAsync(const void* memory,
                                 std::size_t bytes,
                                 cudaMemLocation location,
                                 unsigned flags,
                                 cudaStream_t stream = nullptr);
cudaError_t cudaMemAdvise(const void* memory,
                          std::size_t bytes,
                          cudaMemoryAdvise advice,
                          cudaMemLocation location);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer);
cudaError_t cudaHostRegister(void* memory, std::size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void* memory);

namespace kv::simt {
cudaError_t allocate_rows(void** device, std::size_t* pitch, std::size_t width, std::size_t height);
cudaError_t device_pointer_of(void** device, void* host);
}  // namespace kv::simt

// Rows that each begin at a multiple of 512 bytes.
template <typename T>
KV_SIMT_INLINE cudaError_t
cudaMallocPitch(T** memory, std::size_t* pitch, std::size_t width, std::size_t height) {
  return kv::simt::allocate_rows(reinterpret_cast<void**>(memory), pitch, width, height);
}
template <typename T>
KV_SIMT_INLINE cudaError_t cudaMallocAsync(T** memory, std::size_t bytes, cudaStream_t) {
  return kv::simt::allocate(reinterpret_cast<void**>(memory), bytes);
}
// Pinned memory has one address on both sides.
template <typename T>
KV_SIMT_INLINE cudaError_t cudaHostGetDevicePointer(T** memory, void* host, unsigned) {
  return kv::simt::device_pointer_of(reinterpret_cast<void**>(memory), host);
}

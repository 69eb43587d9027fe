#pragma once
// CUDA's host interface. All work is done when the call returns, so synchronizing has nothing to
// wait for; errors appear and stay as in CUDA.

#include "simt/host_types.h"

extern "C" {
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char* cudaGetErrorName(cudaError_t error);
const char* cudaGetErrorString(cudaError_t error);

cudaError_t cudaFree(void* device);
cudaError_t cudaFreeHost(void* host);
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* device, int value, std::size_t bytes);
cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total);

cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceReset();
#if KV_SIMT_CUDA < 13
KV_SIMT_INLINE cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
KV_SIMT_INLINE cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
#endif
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device);
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
KV_SIMT_INLINE cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaDriverGetVersion(int* version) {
  return cudaRuntimeGetVersion(version);
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop);
}

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags = 0);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = nullptr);
cudaError_t cudaMemcpyAsync(void* to,
                            const void* from,
                            std::size_t bytes,
                            cudaMemcpyKind kind,
                            cudaStream_t stream = nullptr);
cudaError_t cudaMemsetAsync(void* device, int value, std::size_t bytes, cudaStream_t = nullptr);

namespace kv::simt {
cudaError_t allocate(void** device, std::size_t bytes);
cudaError_t allocate_managed(void** memory, std::size_t bytes);
cudaError_t allocate_host(void** host, std::size_t bytes);
// A place in a variable of the device.
struct SymbolPlace {
  const void* variable;
  std::size_t size;
  std::size_t offset;
};
// `to` or `from` is nullptr: the place in the variable stands for it.
cudaError_t copy_symbol(
    const SymbolPlace& place, void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t set_function_attribute(const void* function, cudaFuncAttribute attribute, int value);
}  // namespace kv::simt

template <typename T>
KV_SIMT_INLINE cudaError_t cudaMalloc(T** device, std::size_t bytes) {
  return kv::simt::allocate(reinterpret_cast<void**>(device), bytes);
}
// Memory that both the host and the device access.
template <typename T>
KV_SIMT_INLINE cudaError_t cudaMallocManaged(T** memory, std::size_t bytes, unsigned = 1) {
  return kv::simt::allocate_managed(reinterpret_cast<void**>(memory), bytes);
}
template <typename T>
KV_SIMT_INLINE cudaError_t cudaMallocHost(T** host, std::size_t bytes, unsigned = 0) {
  return kv::simt::allocate_host(reinterpret_cast<void**>(host), bytes);
}
template <typename T>
KV_SIMT_INLINE cudaError_t cudaHostAlloc(T** host, std::size_t bytes, unsigned = 0) {
  return kv::simt::allocate_host(reinterpret_cast<void**>(host), bytes);
}
template <typename T>
KV_SIMT_INLINE cudaError_t cudaMemcpyToSymbol(T& symbol,
                                              const void* from,
                                              std::size_t bytes,
                                              std::size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return kv::simt::copy_symbol({&symbol, sizeof symbol, offset}, nullptr, from, bytes, kind);
}
template <typename T>
KV_SIMT_INLINE cudaError_t cudaMemcpyFromSymbol(void* to,
                                                T& symbol,
                                                std::size_t bytes,
                                                std::size_t offset = 0,
                                                cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return kv::simt::copy_symbol({&symbol, sizeof symbol, offset}, to, nullptr, bytes, kind);
}
template <typename T>
KV_SIMT_INLINE cudaError_t cudaGetSymbolAddress(void** address, const T& symbol) {
  *address = const_cast<void*>(static_cast<const void*>(&symbol));
  return cudaSuccess;
}
template <typename Kernel>
KV_SIMT_INLINE cudaError_t cudaFuncSetAttribute(Kernel* kernel,
                                                cudaFuncAttribute attribute,
                                                int value) {
  return kv::simt::set_function_attribute(reinterpret_cast<const void*>(kernel), attribute, value);
}

// Functions of the host in a stream, and graphs: work that a stream records instead of doing it,
// and that a launch of the graph does later.

namespace kv::simt {
struct Graph;
struct GraphExec;
}  // namespace kv::simt
using cudaGraph_t = kv::simt::Graph*;
using cudaGraphExec_t = kv::simt::GraphExec*;

enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2,
};
enum cudaStreamCaptureStatus {
  cudaStreamCaptureStatusNone = 0,
  cudaStreamCaptureStatusActive = 1,
  cudaStreamCaptureStatusInvalidated = 2,
};

using cudaHostFn_t = void (*)(void* data);
using cudaStreamCallback_t = void (*)(cudaStream_t stream, cudaError_t status, void* data);

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data);
cudaError_t cudaStreamAddCallback(cudaStream_t stream,
                                  cudaStreamCallback_t callback,
                                  void* data,
                                  unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority);
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest);

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec,
                                 cudaGraph_t graph,
                                 unsigned long long flags = 0);
// The form before CUDA 12.
cudaError_t cudaGraphInstantiate(
    cudaGraphExec_t* exec, cudaGraph_t graph, void* error_node, char* log, std::size_t log_bytes);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);

#pragma once
// KV_CUDA_CHECK(call): throws if a call of CUDA has failed. A launch returns nothing, so the line
// after it asks: KV_CUDA_CHECK(cudaGetLastError()) throws if the launch was refused, and perhaps if
// an earlier kernel has failed, for kernels run later than their launch.

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace kv {

class CudaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void require_success(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw CudaError(std::string(call) + ": " + cudaGetErrorString(error));
}

}  // namespace kv

#define KV_CUDA_CHECK(call) ::kv::require_success(call, #call)

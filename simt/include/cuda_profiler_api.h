#pragma once
// Where a profiler starts and stops. The profile of ./lab simt has all kernels.

#include "cuda_runtime.h"

KV_SIMT_INLINE cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
KV_SIMT_INLINE cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

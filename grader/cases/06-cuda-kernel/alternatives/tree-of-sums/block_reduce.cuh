#pragma once
// Rung 0: the threads of a block combine their values in shared memory.

#include "06-cuda-kernel/paged_attention_params.h"
#include "kv/todo.h"

namespace kv {

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Called by all kNumThreads threads of a block.
// Shared: one float for each thread. In each round the lower half of them takes in the upper half.
template <class Op>
__device__ float block_reduce(float value, Op op) {
  __shared__ float values[kNumThreads];
  values[threadIdx.x] = value;
  for (int half = kNumThreads / 2; half > 0; half /= 2) {
    __syncthreads();  // the values of the last round are there
    if (static_cast<int>(threadIdx.x) < half)
      values[threadIdx.x] = op(values[threadIdx.x], values[threadIdx.x + half]);
  }
  __syncthreads();  // the result is there
  const float result = values[0];
  __syncthreads();  // all threads have read: the next call may write
  return result;
}

}  // namespace kv

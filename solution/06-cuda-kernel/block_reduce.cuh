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
// Shared: one float for each thread. A thread writes its own and reads all of them.
// Barriers: one before the first read, one after the last.
template <class Op>
__device__ float block_reduce(float value, Op op) {
  __shared__ float values[kNumThreads];
  values[threadIdx.x] = value;
  __syncthreads();  // all values are there
  float result = values[0];
  for (int i = 1; i < kNumThreads; ++i) result = op(result, values[i]);
  __syncthreads();  // all threads have read: the next call may write
  return result;
}

}  // namespace kv

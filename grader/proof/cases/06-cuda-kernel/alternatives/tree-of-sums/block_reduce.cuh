#pragma once
// Rung 0: threads combine their values, through registers in a warp, and through shared memory in a
// block.

#include "06-cuda-kernel/paged_attention_params.h"
#include "kv/todo.h"

namespace kv {

struct Max {
  __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

struct Sum {
  __device__ float operator()(float a, float b) const { return a + b; }
};

// Called by all lanes of a warp. Each gets the values of the kLanes neighbors that it belongs to,
// combined by op. With kLanes = 8, it exchanges its result with the lane 4, then 2, then 1 away:
//
//   lane      0     1     2     3     4     5     6     7
//   before    a     b     c     d     e     f     g     h
//   4 away   a+e   b+f   c+g   d+h   e+a   f+b   g+c   h+d
//   2 away   a+e+c+g ...
template <int kLanes, class Op>
__device__ float group_reduce(float value, Op op) {
  for (int distance = kLanes / 2; distance > 0; distance /= 2) {
    value = op(value, __shfl_xor_sync(0xffffffff, value, distance));
  }
  return value;
}

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

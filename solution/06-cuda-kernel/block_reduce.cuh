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
// Shared: one float for each warp. One lane of a warp writes it, and all threads read all of them.
// Barriers: one before the first read, one after the last.
template <class Op>
__device__ float block_reduce(float value, Op op) {
  __shared__ float of_warps[kNumWarps];
  value = group_reduce<kWarpSize>(value, op);
  if (threadIdx.x % kWarpSize == 0) of_warps[threadIdx.x / kWarpSize] = value;
  __syncthreads();  // the results of all warps are there

  float result = of_warps[0];
  for (int warp = 1; warp < kNumWarps; ++warp) result = op(result, of_warps[warp]);
  __syncthreads();  // all threads have read: the next call may write
  return result;
}

}  // namespace kv

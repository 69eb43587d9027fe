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
  KV_TODO("6.2 group_reduce");
}

// Called by all kNumThreads threads of a block.
// Shared: one float for each warp. One lane of a warp writes it, and all threads read all of them.
// Barriers: one before the first read, one after the last.
template <class Op>
__device__ float block_reduce(float value, Op op) {
  KV_TODO("6.3 block_reduce");
}

}  // namespace kv

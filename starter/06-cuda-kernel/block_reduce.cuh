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
  KV_TODO("6.2 block_reduce");
}

}  // namespace kv

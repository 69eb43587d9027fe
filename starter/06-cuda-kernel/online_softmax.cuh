#pragma once
// Rung 3: attention in one pass. The state over the tokens so far fits into registers.

#include "06-cuda-kernel/given/attention_state.cuh"
#include "kv/todo.h"

namespace kv {

// No shared memory, no barrier: the state belongs to one thread.
template <int kDims>
__device__ void add_token(AttentionState<kDims>& state, float score, const float (&value)[kDims]) {
  KV_TODO("6.9 add_token");
}

// Returns dimension dim of the result. Reads max_logits[num_partials], exp_sums[num_partials] and
// tmp_out[num_partials, head_size], in shared or in device memory.
__device__ inline float merge_partials(const float* max_logits,
                                       const float* exp_sums,
                                       const float* tmp_out,
                                       int num_partials,
                                       int head_size,
                                       int dim) {
  KV_TODO("6.10 merge_partials");
}

}  // namespace kv

#pragma once
// Rung 3: attention in one pass. The state over the tokens so far fits into registers.

#include "06-cuda-kernel/given/attention_state.cuh"
#include "kv/todo.h"

namespace kv {

// No shared memory, no barrier: the state belongs to one thread.
template <int kDims>
__device__ void add_token(AttentionState<kDims>& state, float score, const float (&value)[kDims]) {
  const float max_logit = fmaxf(state.max_logit, score);
  const float rescale = expf(state.max_logit - max_logit);
  const float weight = expf(score - max_logit);
  state.max_logit = max_logit;
  state.exp_sum = state.exp_sum * rescale + weight;
  for (int i = 0; i < kDims; ++i) state.out[i] = state.out[i] * rescale + weight * value[i];
}

// Returns dimension dim of the result. Reads max_logits[num_partials], exp_sums[num_partials] and
// tmp_out[num_partials, head_size], in shared or in device memory.
__device__ inline float merge_partials(const float* max_logits,
                                       const float* exp_sums,
                                       const float* tmp_out,
                                       int num_partials,
                                       int head_size,
                                       int dim) {
  float max_logit = -INFINITY;
  for (int i = 0; i < num_partials; ++i) max_logit = fmaxf(max_logit, max_logits[i]);
  if (max_logit == -INFINITY) return 0;
  float exp_sum = 0;
  float out = 0;
  for (int i = 0; i < num_partials; ++i) {
    if (max_logits[i] == -INFINITY) continue;  // no tokens: its sum and out may be anything
    const float rescale = expf(max_logits[i] - max_logit);
    exp_sum += rescale * exp_sums[i];
    out += rescale * tmp_out[i * head_size + dim];
  }
  return out / exp_sum;
}

}  // namespace kv

#pragma once
// For the tests: steps 6.9 and 6.10, each of them alone.
// paged_attention_warp.cu includes this file at its end, where these functions are known.

namespace kv {

__global__ void write_state(float* state_out, const float* scores, const float* values, int n) {
  constexpr int kDims = 8;
  AttentionState<kDims> state;
  for (int i = 0; i < n; ++i) {
    float value[kDims];
    for (int dim = 0; dim < kDims; ++dim) value[dim] = values[i * kDims + dim];
    add_token(state, scores[i], value);
  }
  state_out[0] = state.max_logit;
  state_out[1] = state.exp_sum;
  for (int dim = 0; dim < kDims; ++dim) state_out[2 + dim] = state.out[dim];
}

void launch_add_token(float* state, const float* scores, const float* values, int num_tokens) {
  write_state<<<1, 1>>>(state, scores, values, num_tokens);
}

__global__ void write_merged(float* out,
                             const float* max_logits,
                             const float* exp_sums,
                             const float* tmp_out,
                             int num_partials,
                             int head_size) {
  const int dim = threadIdx.x;
  if (dim < head_size)
    out[dim] = merge_partials(max_logits, exp_sums, tmp_out, num_partials, head_size, dim);
}

void launch_merge_partials(float* out,
                           const float* max_logits,
                           const float* exp_sums,
                           const float* tmp_out,
                           int num_partials,
                           int head_size) {
  write_merged<<<1, kNumThreads>>>(out, max_logits, exp_sums, tmp_out, num_partials, head_size);
}

}  // namespace kv

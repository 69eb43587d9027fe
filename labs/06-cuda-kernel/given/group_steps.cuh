#pragma once
// For the tests: steps 6.12 and 6.13, each of them alone.
// paged_attention_group.cu includes this file at its end, where these functions are known.

namespace kv {

// One thread: in each round it adds the scores of kTokensAtOnce tokens, and then their values.
static __global__ void write_added_scores(float* state,
                                          const float* scores,
                                          const float* values,
                                          int num_rounds) {
  constexpr int kDims = 8;
  AttentionState<kDims> sums;
  for (int first = 0; first < num_rounds * kTokensAtOnce; first += kTokensAtOnce) {
    float weights[kTokensAtOnce];
    for (int t = 0; t < kTokensAtOnce; ++t) weights[t] = scores[first + t];
    add_scores(sums, weights);
    for (int t = 0; t < kTokensAtOnce; ++t) {
      for (int dim = 0; dim < kDims; ++dim)
        sums.out[dim] += weights[t] * values[(first + t) * kDims + dim];
    }
  }
  state[0] = sums.max_logit;
  state[1] = sums.exp_sum;
  for (int dim = 0; dim < kDims; ++dim) state[2 + dim] = sums.out[dim];
}

void launch_add_scores(float* state, const float* scores, const float* values, int num_rounds) {
  write_added_scores<<<1, 1>>>(state, scores, values, num_rounds);
}

template <class Scalar, int kHeadSize, int kHeads>
__global__ void write_states(PartialResults partials,
                             PagedAttentionParams<Scalar> p,
                             int first_token,
                             int end_token) {
  const HeadsOfBlock<kHeads> heads(p);
  AttentionState<kVec<Scalar>> states[kHeads];
  attend_tokens<Scalar, kHeadSize>(states, p, first_token, end_token);
  for (int h = 0; h < kHeads; ++h) write_partial<kHeadSize>(partials, p, heads, h, 0, states[h]);
}

template <class Scalar>
void launch_attend_tokens(const PartialResults& states,
                          const PagedAttentionParams<Scalar>& params,
                          int first_token,
                          int end_token) {
  launch_for_groups(params, [&](auto head_size, auto heads, dim3 grid) {
    write_states<Scalar, decltype(head_size)::value, decltype(heads)::value>
        <<<grid, kNumThreads>>>(states, params, first_token, end_token);
  });
}

template decltype(launch_attend_tokens<float>) launch_attend_tokens<float>;
template decltype(launch_attend_tokens<__half>) launch_attend_tokens<__half>;
template decltype(launch_attend_tokens<__nv_bfloat16>) launch_attend_tokens<__nv_bfloat16>;

}  // namespace kv

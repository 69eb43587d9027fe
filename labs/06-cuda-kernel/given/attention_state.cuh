#pragma once
// What a lane keeps of attention over some tokens: the state of an online softmax.

namespace kv {

template <int kDims>
struct AttentionState {
  float max_logit = -INFINITY;  // the largest score so far
  float exp_sum = 0;            // of exp(score - max_logit)
  float out[kDims] = {};  // of exp(score - max_logit) * value, for the dimensions of this lane
};

template <int kDims>
__device__ float dot(const float (&a)[kDims], const float (&b)[kDims]) {
  float sum = 0;
  for (int i = 0; i < kDims; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace kv

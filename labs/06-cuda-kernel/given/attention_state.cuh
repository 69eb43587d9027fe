#pragma once
// What a lane keeps of attention over some tokens: the state of an online softmax.

#include "06-cuda-kernel/paged_attention_params.h"

namespace kv {

template <int kDims>
struct AttentionState {
  float max_logit = -INFINITY;  // the largest score so far
  float exp_sum = 0;            // sum of exp(score - max_logit)
  float out[kDims] = {};  // sums of exp(score - max_logit) * value, for the dimensions of this lane
};

// Where the query head of this warp begins in query and out, if a block has a warp for each query
// head of KV head blockIdx.x of sequence blockIdx.y.
template <class Scalar>
__device__ int query_row(const PagedAttentionParams<Scalar>& p) {
  const int group_size = blockDim.x / kWarpSize;
  const int head = blockIdx.x * group_size + threadIdx.x / kWarpSize;
  return (blockIdx.y * p.num_heads + head) * p.head_size;
}

template <int kDims>
__device__ float dot(const float (&a)[kDims], const float (&b)[kDims]) {
  float sum = 0;
  for (int i = 0; i < kDims; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace kv

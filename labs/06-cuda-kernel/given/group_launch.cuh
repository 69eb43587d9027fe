#pragma once
// What the launches of rungs 4 and 5 share, and how they write a partial result.

#include "06-cuda-kernel/given/attention_state.cuh"
#include "06-cuda-kernel/grouped_kernels.h"

namespace kv {

// A warp for each query head of a KV head.
template <class Scalar>
unsigned threads_of_group(const PagedAttentionParams<Scalar>& params) {
  return static_cast<unsigned>(kWarpSize * (params.num_heads / params.num_kv_heads));
}

// Keys and values of block_size tokens.
template <class Scalar>
std::size_t bytes_of_tile(const PagedAttentionParams<Scalar>& params) {
  return 2 * sizeof(Scalar) * static_cast<std::size_t>(params.block_size * params.head_size);
}

// The state of the query head of this warp. A lane has every 32nd dimension.
template <class Scalar, int kDims>
__device__ void write_partial(const PartialResults& partials,
                              const PagedAttentionParams<Scalar>& p,
                              int partition,
                              const AttentionState<kDims>& state) {
  const int row = query_row(p) / p.head_size;
  const int at = row * partials.num_partitions + partition;
  const int lane = threadIdx.x % kWarpSize;
  for (int i = 0; i < kDims; ++i) {
    partials.tmp_out[at * p.head_size + i * kWarpSize + lane] = state.out[i];
  }
  if (lane > 0) return;
  partials.max_logits[at] = state.max_logit;
  partials.exp_sums[at] = state.exp_sum;
}

}  // namespace kv

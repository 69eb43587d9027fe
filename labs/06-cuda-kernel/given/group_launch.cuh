#pragma once
// How rungs 4 and 5 share the query heads of a KV head among thread blocks, how many partitions a
// sequence has, and how the parts of a result come together.

#include <type_traits>

#include "06-cuda-kernel/given/attention_state.cuh"
#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/given/vec16.cuh"
#include "06-cuda-kernel/grouped_kernels.h"

namespace kv {

// Query heads for which a thread works, and tokens that it has on their way from memory at one
// time. With more of either, a thread needs so many registers that an SM holds fewer threads.
constexpr int kHeadsAtOnce = 4;
constexpr int kTokensAtOnce = 4;
constexpr int kBlocksPerSm = 4;  // for which nvcc has to leave registers

// Calls `call` with the query heads of a thread block as a type: 1 or kHeadsAtOnce.
template <class Scalar, class Call>
void with_heads(const PagedAttentionParams<Scalar>& params, Call call) {
  if (params.num_heads == params.num_kv_heads) return call(std::integral_constant<int, 1>());
  call(std::integral_constant<int, kHeadsAtOnce>());
}

// The kHeads query heads of a thread block: a group of query heads is cut into slices, and
// blockIdx.x counts the slices of all KV heads. In the last slice of a group, its last head stands
// for those that are missing; their results are not written.
template <int kHeads>
struct HeadsOfBlock {
  int group_size, kv_head, first;

  template <class Scalar>
  __device__ explicit HeadsOfBlock(const PagedAttentionParams<Scalar>& p)
      : group_size(p.num_heads / p.num_kv_heads) {
    const int num_slices = (group_size + kHeads - 1) / kHeads;
    kv_head = blockIdx.x / num_slices;
    first = blockIdx.x % num_slices * kHeads;
  }

  __device__ bool has(int h) const { return first + h < group_size; }
  // The row of query head h in query and out.
  template <class Scalar>
  __device__ std::size_t row(const PagedAttentionParams<Scalar>& p, int h) const {
    const int head = kv_head * group_size + min(first + h, group_size - 1);
    return static_cast<std::size_t>(blockIdx.y) * p.num_heads + head;
  }
};

// Partitions that have tokens. Why not (seq_len + partition_size - 1): it might not fit into an
// int.
__host__ __device__ inline int num_partitions_of(int seq_len, int partition_size) {
  return seq_len / partition_size + (seq_len % partition_size > 0);
}

inline bool has_partitions_for(int seq_len, const PartialResults& partials, int partition_size) {
  return partition_size > 0 &&
         num_partitions_of(seq_len, partition_size) <= partials.num_partitions;
}

// The state of each group of lanes.
template <class Scalar, int kHeadSize>
struct SharedStates {
  static constexpr int kLanes = kHeadSize / kVec<Scalar>;
  static constexpr int kGroups = kNumThreads / kLanes;
  float out[kGroups * kHeadSize];
  float max_logits[kGroups];
  float exp_sums[kGroups];
};

// Called by all threads of a block, with the state of one query head. Thread t gets the state of
// dimension t over all tokens of the block, if there is such a dimension.
// Barriers: one before the states are read, one before the next call overwrites them.
template <class Scalar, int kHeadSize>
__device__ AttentionState<1> merge_groups(const AttentionState<kVec<Scalar>>& state) {
  using Shared = SharedStates<Scalar, kHeadSize>;
  __shared__ __align__(16) Shared shared;
  const int group = threadIdx.x / Shared::kLanes;
  store_vec(shared.out + threadIdx.x * kVec<Scalar>, state.out);
  if (threadIdx.x % Shared::kLanes == 0) {
    shared.max_logits[group] = state.max_logit;
    shared.exp_sums[group] = state.exp_sum;
  }
  __syncthreads();  // all states are there

  AttentionState<1> merged;
  for (const float max_logit : shared.max_logits)
    merged.max_logit = fmaxf(merged.max_logit, max_logit);
  const float largest = merged.max_logit == -INFINITY ? 0 : merged.max_logit;
  for (int i = 0; i < Shared::kGroups; ++i) {
    const float weight = expf(shared.max_logits[i] - largest);
    merged.exp_sum += weight * shared.exp_sums[i];
    if (threadIdx.x < kHeadSize) merged.out[0] += weight * shared.out[i * kHeadSize + threadIdx.x];
  }
  __syncthreads();  // all have read them
  return merged;
}

// Called by all threads of a block, with the state of query head h of each.
template <int kHeadSize, int kHeads, class Scalar>
__device__ void write_partial(const PartialResults& partials,
                              const PagedAttentionParams<Scalar>& p,
                              const HeadsOfBlock<kHeads>& heads,
                              int h,
                              int partition,
                              const AttentionState<kVec<Scalar>>& state) {
  const AttentionState<1> merged = merge_groups<Scalar, kHeadSize>(state);
  if (!heads.has(h)) return;
  const std::size_t at = heads.row(p, h) * partials.num_partitions + partition;
  const int dim = threadIdx.x;
  if (dim < kHeadSize) partials.tmp_out[at * kHeadSize + dim] = merged.out[0];
  if (dim > 0) return;
  partials.max_logits[at] = merged.max_logit;
  partials.exp_sums[at] = merged.exp_sum;
}

// Calls `launch` with the head size and the query heads of a block as types, and the grid for one
// partition.
template <class Scalar, class Launch>
void launch_for_groups(const PagedAttentionParams<Scalar>& params, Launch launch) {
  require_sizes(params);
  with_head_size(params.head_size, [&](auto head_size) {
    with_heads(params, [&](auto heads) {
      const int group_size = params.num_heads / params.num_kv_heads;
      const int num_slices = (group_size + heads - 1) / heads;
      launch(head_size, heads, dim3(params.num_kv_heads * num_slices, params.num_seqs));
    });
  });
}

}  // namespace kv

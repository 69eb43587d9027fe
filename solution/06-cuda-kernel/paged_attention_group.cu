// Rung 4: one thread block for a KV head and all query heads that share it.

#include "06-cuda-kernel/given/cuda_check.h"
#include "grouped_attention.cuh"
#include "kv/todo.h"

namespace kv {

// Grid: (slices of all KV heads, num_seqs), a block for up to kHeadsAtOnce query heads of a KV
// head. Block: kNumThreads threads. Shared and barriers: those of merge_groups. Thread t writes
// dimension t of each query head once.
template <class Scalar, int kHeadSize, int kHeads>
__global__ void __launch_bounds__(kNumThreads, kBlocksPerSm)
    paged_attention_group(PagedAttentionParams<Scalar> p) {
  const HeadsOfBlock<kHeads> heads(p);
  AttentionState<kVec<Scalar>> states[kHeads];
  attend_tokens<Scalar, kHeadSize>(states, p, 0, p.seq_lens[blockIdx.y]);
  for (int h = 0; h < kHeads; ++h) {
    const AttentionState<1> merged = merge_groups<Scalar, kHeadSize>(states[h]);
    if (threadIdx.x >= kHeadSize || !heads.has(h)) continue;
    const float out = merged.exp_sum == 0 ? 0 : merged.out[0] / merged.exp_sum;
    p.out[heads.row(p, h) * kHeadSize + threadIdx.x] = from_float<Scalar>(out);
  }
}

template <class Scalar>
void launch_paged_attention_group(const PagedAttentionParams<Scalar>& params) {
  launch_for_groups(params, [&](auto head_size, auto heads, dim3 grid) {
    paged_attention_group<Scalar, decltype(head_size)::value, decltype(heads)::value>
        <<<grid, kNumThreads>>>(params);
    KV_CUDA_CHECK(cudaGetLastError());
  });
}

template decltype(launch_paged_attention_group<float>) launch_paged_attention_group<float>;
template decltype(launch_paged_attention_group<__half>) launch_paged_attention_group<__half>;
template decltype(launch_paged_attention_group<__nv_bfloat16>)
    launch_paged_attention_group<__nv_bfloat16>;

}  // namespace kv

#include "06-cuda-kernel/given/group_steps.cuh"  // steps 6.12 and 6.13 alone, for their tests

// Rung 3: one pass over keys and values, 16 bytes a lane, sums by shuffles.

#include "06-cuda-kernel/given/cuda_check.h"
#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/given/vec16.cuh"
#include "06-cuda-kernel/kernels.h"
#include "block_reduce.cuh"
#include "kv/todo.h"
#include "online_softmax.cuh"
#include "paged_rows.cuh"

namespace kv {

// Grid: (num_heads, num_seqs), one block for each query head of each sequence.
// Block: kNumThreads threads, in groups of kLanes lanes that hold one token, 16 bytes in each lane.
// With head_size 64 and half precision a group has 8 lanes, and one request of a warp is four
// tokens:
//
//   lane         0    1    2  ...  7 |  8    9 ... 15 | 16   17 ... 23 | 24   25 ... 31
//   token        t    t    t       t | t+1            | t+2            | t+3
//   dimensions  0-7 8-15 16-23 56-63 | 0-7            | 0-7            | 0-7
//
// A lane reads its 16 bytes of the query once, and those of the keys and values of its tokens once.
// Group g owns the tokens g, g + kGroups, ... All lanes of a warp make the same number of rounds,
// because all of them have to make each shuffle.
// Shared: the partial result of each group. Barriers: one, before these are merged.
template <class Scalar, int kHeadSize>
__global__ void paged_attention_warp(PagedAttentionParams<Scalar> p) {
  KV_TODO("6.11 paged_attention_warp");
}

template <class Scalar>
void launch_paged_attention_warp(const PagedAttentionParams<Scalar>& params) {
  require_sizes(params);
  with_head_size(params.head_size, [&](auto head_size) {
    const dim3 grid(params.num_heads, params.num_seqs);
    paged_attention_warp<Scalar, decltype(head_size)::value><<<grid, kNumThreads>>>(params);
    KV_CUDA_CHECK(cudaGetLastError());
  });
}

template decltype(launch_paged_attention_warp<float>) launch_paged_attention_warp<float>;
template decltype(launch_paged_attention_warp<__half>) launch_paged_attention_warp<__half>;
template decltype(launch_paged_attention_warp<__nv_bfloat16>)
    launch_paged_attention_warp<__nv_bfloat16>;

}  // namespace kv

#include "06-cuda-kernel/given/warp_steps.cuh"  // steps 6.9 and 6.10 alone, for their tests

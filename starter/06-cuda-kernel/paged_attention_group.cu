// Rung 4: one thread block for a KV head and all query heads that share it.

#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/given/group_launch.cuh"
#include "06-cuda-kernel/grouped_kernels.h"
#include "grouped_attention.cuh"
#include "kv/todo.h"

namespace kv {

// Grid: (num_kv_heads, num_seqs). Block: a warp for each query head of the group.
// Shared: the tile of attend_tokens.
// A lane writes the dimensions of its query head that it owns, each exactly once.
template <class Scalar, int kHeadSize>
__global__ void paged_attention_group(PagedAttentionParams<Scalar> p) {
  KV_TODO("6.14 paged_attention_group");
}

template <class Scalar>
void launch_paged_attention_group(const PagedAttentionParams<Scalar>& params) {
  require_sizes(params);
  with_head_size(params.head_size, [&](auto head_size) {
    paged_attention_group<Scalar, decltype(head_size)::value>
        <<<dim3(params.num_kv_heads, params.num_seqs), threads_of_group(params),
           bytes_of_tile(params)>>>(params);
  });
}

template decltype(launch_paged_attention_group<float>) launch_paged_attention_group<float>;
template decltype(launch_paged_attention_group<__half>) launch_paged_attention_group<__half>;
template decltype(launch_paged_attention_group<__nv_bfloat16>)
    launch_paged_attention_group<__nv_bfloat16>;

}  // namespace kv

#include "06-cuda-kernel/given/group_steps.cuh"  // steps 6.12 and 6.13 alone, for their tests

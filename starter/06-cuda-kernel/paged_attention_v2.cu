// Rung 5: a long sequence in partitions, which different thread blocks read at the same time.

#include <algorithm>

#include "06-cuda-kernel/given/cuda_check.h"
#include "grouped_attention.cuh"
#include "kv/todo.h"

namespace kv {

// Grid: that of rung 4 for each partition. Block: kNumThreads threads. Shared and barriers: those
// of merge_groups. A block reads the tokens of its partition and writes one partial result for each
// query head; it writes nothing if its partition begins past the end of the sequence.
template <class Scalar, int kHeadSize, int kHeads>
__global__ void __launch_bounds__(kNumThreads, kBlocksPerSm)
    paged_attention_v2(PartialResults partials,
                       PagedAttentionParams<Scalar> p,
                       int partition_size) {
  KV_TODO("6.15 paged_attention_v2");
}

// Grid: (num_heads, num_seqs). Block: kNumThreads threads. Thread t owns dimension t of the result:
// it reads the partial results of the partitions that have tokens, and writes out once.
template <class Scalar>
__global__ void paged_attention_v2_reduce(PartialResults partials,
                                          PagedAttentionParams<Scalar> p,
                                          int partition_size) {
  KV_TODO("6.16 paged_attention_v2_reduce");
}

int choose_partition_size(int max_seq_len, int num_blocks, int num_blocks_at_once) {
  KV_TODO("6.17 choose_partition_size");
}

template <class Scalar>
void launch_paged_attention_v2_partitions(const PartialResults& partials,
                                          const PagedAttentionParams<Scalar>& params,
                                          int partition_size) {
  KV_REQUIRE("there are partitions enough for max_seq_len tokens",
             has_partitions_for(params.max_seq_len, partials, partition_size));
  launch_for_groups(params, [&](auto head_size, auto heads, dim3 grid) {
    grid.z = partials.num_partitions;
    paged_attention_v2<Scalar, decltype(head_size)::value, decltype(heads)::value>
        <<<grid, kNumThreads>>>(partials, params, partition_size);
    KV_CUDA_CHECK(cudaGetLastError());
  });
}

template <class Scalar>
void launch_paged_attention_v2_reduce(const PartialResults& partials,
                                      const PagedAttentionParams<Scalar>& params,
                                      int partition_size) {
  paged_attention_v2_reduce<<<dim3(params.num_heads, params.num_seqs), kNumThreads>>>(
      partials, params, partition_size);
  KV_CUDA_CHECK(cudaGetLastError());
}

template <class Scalar>
void launch_paged_attention_v2(const PartialResults& partials,
                               const PagedAttentionParams<Scalar>& params,
                               int partition_size) {
  launch_paged_attention_v2_partitions(partials, params, partition_size);
  launch_paged_attention_v2_reduce(partials, params, partition_size);
}

template decltype(launch_paged_attention_v2_partitions<float>)
    launch_paged_attention_v2_partitions<float>;
template decltype(launch_paged_attention_v2_reduce<float>) launch_paged_attention_v2_reduce<float>;
template decltype(launch_paged_attention_v2_reduce<__half>)
    launch_paged_attention_v2_reduce<__half>;
template decltype(launch_paged_attention_v2_reduce<__nv_bfloat16>)
    launch_paged_attention_v2_reduce<__nv_bfloat16>;
template decltype(launch_paged_attention_v2<float>) launch_paged_attention_v2<float>;
template decltype(launch_paged_attention_v2<__half>) launch_paged_attention_v2<__half>;
template decltype(launch_paged_attention_v2<__nv_bfloat16>)
    launch_paged_attention_v2<__nv_bfloat16>;

}  // namespace kv

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
  const int partition = blockIdx.z;
  const int seq_len = p.seq_lens[blockIdx.y];
  if (partition >= num_partitions_of(seq_len, partition_size)) return;
  const int first_token = partition * partition_size;
  const int end_token = first_token + min(partition_size, seq_len - first_token);
  const HeadsOfBlock<kHeads> heads(p);
  AttentionState<kVec<Scalar>> states[kHeads];
  attend_tokens<Scalar, kHeadSize>(states, p, first_token, end_token);
  for (int h = 0; h < kHeads; ++h)
    write_partial<kHeadSize>(partials, p, heads, h, partition, states[h]);
}

// Grid: (num_heads, num_seqs). Block: kNumThreads threads. Thread t owns dimension t of the result:
// it reads the partial results of the partitions that have tokens, and writes out once.
template <class Scalar>
__global__ void paged_attention_v2_reduce(PartialResults partials,
                                          PagedAttentionParams<Scalar> p,
                                          int partition_size) {
  const int head = blockIdx.x;
  const int seq = blockIdx.y;
  const int row = seq * p.num_heads + head;
  const int dim = threadIdx.x;
  if (dim >= p.head_size) return;
  const int num_partitions = num_partitions_of(p.seq_lens[seq], partition_size);
  const std::size_t first = static_cast<std::size_t>(row) * partials.num_partitions;
  const float out =
      merge_partials(partials.max_logits + first, partials.exp_sums + first,
                     partials.tmp_out + first * p.head_size, num_partitions, p.head_size, dim);
  p.out[row * p.head_size + dim] = from_float<Scalar>(out);
}

int choose_partition_size(int max_seq_len, int num_blocks, int num_blocks_at_once) {
  const int num_partitions = std::max(1, num_blocks_at_once / std::max(1, num_blocks));
  const int num_tokens = (max_seq_len + num_partitions - 1) / num_partitions;
  return std::max(1, (num_tokens + kPartitionUnit - 1) / kPartitionUnit) * kPartitionUnit;
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

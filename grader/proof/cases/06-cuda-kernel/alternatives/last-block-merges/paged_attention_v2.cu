// Rung 5: a long sequence in partitions, which different thread blocks read at the same time.

#include <algorithm>

#include "grouped_attention.cuh"
#include "kv/todo.h"

namespace kv {

// How many partitions of a thread block's query heads are done, in the launch that merges.
constexpr unsigned kMostRows = 4096;
__device__ unsigned num_done[kMostRows];

// Called by all threads of a block. Is this the last block of its query heads and sequence? Then it
// sees what all of them wrote.
__device__ inline bool is_last_block() {
  __shared__ bool is_last;
  __threadfence();  // this thread's part of the partial result is visible before the count
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned* const count = &num_done[blockIdx.y * gridDim.x + blockIdx.x];
    is_last = atomicAdd(count, 1) + 1 == gridDim.z;
    if (is_last) *count = 0;  // for the next launch
  }
  __syncthreads();
  __threadfence();
  return is_last;
}

// Reads the tokens of a block's partition and writes one partial result for each query head, if the
// partition does not begin past the end of the sequence.
template <int kHeadSize, int kHeads, class Scalar>
__device__ void read_partition(const PartialResults& partials,
                               const PagedAttentionParams<Scalar>& p,
                               const HeadsOfBlock<kHeads>& heads,
                               int partition_size) {
  const int partition = blockIdx.z;
  const int seq_len = p.seq_lens[blockIdx.y];
  if (partition >= num_partitions_of(seq_len, partition_size)) return;
  const int first_token = partition * partition_size;
  const int end_token = first_token + min(partition_size, seq_len - first_token);
  AttentionState<kVec<Scalar>> states[kHeads];
  attend_tokens<Scalar, kHeadSize>(states, p, first_token, end_token);
  for (int h = 0; h < kHeads; ++h)
    write_partial<kHeadSize>(partials, p, heads, h, partition, states[h]);
}

// Dimension dim of the result of query head `row`, over all sequences.
template <class Scalar>
__device__ void merge_row(const PartialResults& partials,
                          const PagedAttentionParams<Scalar>& p,
                          std::size_t row,
                          int dim,
                          int partition_size) {
  const int seq_len = p.seq_lens[row / p.num_heads];
  const std::size_t first = row * partials.num_partitions;
  const float out = merge_partials(partials.max_logits + first, partials.exp_sums + first,
                                   partials.tmp_out + first * p.head_size,
                                   num_partitions_of(seq_len, partition_size), p.head_size, dim);
  p.out[row * p.head_size + dim] = from_float<Scalar>(out);
}

// Grid: that of rung 4 for each partition. Block: kNumThreads threads. Shared and barriers: those
// of merge_groups.
template <class Scalar, int kHeadSize, int kHeads>
__global__ void __launch_bounds__(kNumThreads, kBlocksPerSm)
    paged_attention_v2(PartialResults partials,
                       PagedAttentionParams<Scalar> p,
                       int partition_size) {
  read_partition<kHeadSize>(partials, p, HeadsOfBlock<kHeads>(p), partition_size);
}

// The same, and the last block of some query heads merges their partitions.
template <class Scalar, int kHeadSize, int kHeads>
__global__ void __launch_bounds__(kNumThreads, kBlocksPerSm)
    paged_attention_v2_merged(PartialResults partials,
                              PagedAttentionParams<Scalar> p,
                              int partition_size) {
  const HeadsOfBlock<kHeads> heads(p);
  read_partition<kHeadSize>(partials, p, heads, partition_size);
  if (!is_last_block() || threadIdx.x >= kHeadSize) return;
  for (int h = 0; h < kHeads && heads.has(h); ++h)
    merge_row(partials, p, heads.row(p, h), threadIdx.x, partition_size);
}

// Grid: (num_heads, num_seqs). Block: kNumThreads threads. For partial results of another kernel.
template <class Scalar>
__global__ void paged_attention_v2_reduce(PartialResults partials,
                                          PagedAttentionParams<Scalar> p,
                                          int partition_size) {
  const std::size_t row = static_cast<std::size_t>(blockIdx.y) * p.num_heads + blockIdx.x;
  const int dim = threadIdx.x;
  if (dim < p.head_size) merge_row(partials, p, row, dim, partition_size);
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
  });
}

template <class Scalar>
void launch_paged_attention_v2_reduce(const PartialResults& partials,
                                      const PagedAttentionParams<Scalar>& params,
                                      int partition_size) {
  paged_attention_v2_reduce<<<dim3(params.num_heads, params.num_seqs), kNumThreads>>>(
      partials, params, partition_size);
}

template <class Scalar>
void launch_paged_attention_v2(const PartialResults& partials,
                               const PagedAttentionParams<Scalar>& params,
                               int partition_size) {
  KV_REQUIRE("there are partitions enough for max_seq_len tokens",
             has_partitions_for(params.max_seq_len, partials, partition_size));
  launch_for_groups(params, [&](auto head_size, auto heads, dim3 grid) {
    KV_REQUIRE("there is a counter for each thread block of a partition",
               grid.x * grid.y <= kMostRows);
    grid.z = partials.num_partitions;
    paged_attention_v2_merged<Scalar, decltype(head_size)::value, decltype(heads)::value>
        <<<grid, kNumThreads>>>(partials, params, partition_size);
  });
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

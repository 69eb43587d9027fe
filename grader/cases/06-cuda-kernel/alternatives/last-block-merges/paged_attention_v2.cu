// Rung 5: a long sequence in partitions, which different thread blocks read at the same time.

#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/given/group_launch.cuh"
#include "06-cuda-kernel/grouped_kernels.h"
#include "grouped_attention.cuh"
#include "kv/todo.h"

namespace kv {

// How many partitions of a KV head of a sequence are done, in the launch that merges.
constexpr int kMostRows = 4096;
__device__ unsigned num_done[kMostRows];

// Called by all threads of a block. Is this the last block of its KV head and sequence? Then it
// sees what all of them wrote.
__device__ inline bool is_last_block(int num_kv_heads, unsigned num_blocks) {
  __shared__ bool is_last;
  __threadfence();  // this thread's part of the partial result is visible before the count
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned* const count = &num_done[blockIdx.y * num_kv_heads + blockIdx.x];
    is_last = atomicAdd(count, 1) + 1 == num_blocks;
    if (is_last) *count = 0;  // for the next launch
  }
  __syncthreads();
  __threadfence();
  return is_last;
}

// Reads the tokens of a block's partition and writes one partial result for each query head, if the
// partition does not begin past the end of the sequence.
template <int kHeadSize, class Scalar>
__device__ void read_partition(const PartialResults& partials,
                               const PagedAttentionParams<Scalar>& p,
                               int partition_size) {
  extern __shared__ uint4 shared_tile[];
  Scalar* const tile = reinterpret_cast<Scalar*>(shared_tile);
  const int partition = blockIdx.z;
  const int seq_len = p.seq_lens[blockIdx.y];
  const int first_token = partition * partition_size;
  if (first_token >= seq_len) return;
  const int end_token = min(first_token + partition_size, seq_len);
  write_partial(partials, p, partition,
                attend_tokens<Scalar, kHeadSize>(tile, p, first_token, end_token));
}

// Grid: (num_kv_heads, num_seqs, num_partitions). Block: a warp for each query head of the group.
// Shared: the tile of attend_tokens.
template <class Scalar, int kHeadSize>
__global__ void paged_attention_v2(PartialResults partials,
                                   PagedAttentionParams<Scalar> p,
                                   int partition_size) {
  read_partition<kHeadSize>(partials, p, partition_size);
}

// The same, and the last block of a KV head merges the partitions of its query heads: each warp
// those of its own.
template <class Scalar, int kHeadSize>
__global__ void paged_attention_v2_merged(PartialResults partials,
                                          PagedAttentionParams<Scalar> p,
                                          int partition_size) {
  read_partition<kHeadSize>(partials, p, partition_size);
  if (!is_last_block(p.num_kv_heads, gridDim.z)) return;
  const int row = query_row(p) / kHeadSize;
  const int first = row * partials.num_partitions;
  const int num_partitions = (p.seq_lens[blockIdx.y] + partition_size - 1) / partition_size;
  for (int dim = threadIdx.x % kWarpSize; dim < kHeadSize; dim += kWarpSize) {
    const float out =
        merge_partials(partials.max_logits + first, partials.exp_sums + first,
                       partials.tmp_out + first * kHeadSize, num_partitions, kHeadSize, dim);
    p.out[row * kHeadSize + dim] = from_float<Scalar>(out);
  }
}

template <class Scalar>
void launch_paged_attention_v2_partitions(const PartialResults& partials,
                                          const PagedAttentionParams<Scalar>& params,
                                          int partition_size) {
  require_sizes(params);
  KV_REQUIRE("there are partitions enough for max_seq_len tokens",
             partition_size > 0 && partials.num_partitions * partition_size >= params.max_seq_len);
  const dim3 grid(params.num_kv_heads, params.num_seqs, partials.num_partitions);
  with_head_size(params.head_size, [&](auto head_size) {
    paged_attention_v2<Scalar, decltype(head_size)::value>
        <<<grid, threads_of_group(params), bytes_of_tile(params)>>>(partials, params,
                                                                    partition_size);
  });
}

template <class Scalar>
void launch_paged_attention_v2(const PartialResults& partials,
                               const PagedAttentionParams<Scalar>& params,
                               int partition_size) {
  require_sizes(params);
  KV_REQUIRE("there are partitions enough for max_seq_len tokens",
             partition_size > 0 && partials.num_partitions * partition_size >= params.max_seq_len);
  KV_REQUIRE("there is a counter for each KV head",
             params.num_seqs * params.num_kv_heads <= kMostRows);
  const dim3 grid(params.num_kv_heads, params.num_seqs, partials.num_partitions);
  with_head_size(params.head_size, [&](auto head_size) {
    paged_attention_v2_merged<Scalar, decltype(head_size)::value>
        <<<grid, threads_of_group(params), bytes_of_tile(params)>>>(partials, params,
                                                                    partition_size);
  });
}

template decltype(launch_paged_attention_v2_partitions<float>)
    launch_paged_attention_v2_partitions<float>;
template decltype(launch_paged_attention_v2<float>) launch_paged_attention_v2<float>;
template decltype(launch_paged_attention_v2<__half>) launch_paged_attention_v2<__half>;
template decltype(launch_paged_attention_v2<__nv_bfloat16>)
    launch_paged_attention_v2<__nv_bfloat16>;

}  // namespace kv

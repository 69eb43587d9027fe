// Rung 5: a long sequence in partitions, which different thread blocks read at the same time.

#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/given/group_launch.cuh"
#include "06-cuda-kernel/grouped_kernels.h"
#include "grouped_attention.cuh"
#include "kv/todo.h"

namespace kv {

// Grid: (num_kv_heads, num_seqs, num_partitions). Block: a warp for each query head of the group.
// Shared: the tile of attend_tokens.
// A block reads the tokens of its partition and writes one partial result for each query head; it
// writes nothing if its partition begins past the end of the sequence.
template <class Scalar, int kHeadSize>
__global__ void paged_attention_v2(PartialResults partials,
                                   PagedAttentionParams<Scalar> p,
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
  const int num_partitions = (p.seq_lens[seq] + partition_size - 1) / partition_size;
  const int first = row * partials.num_partitions;
  const float out =
      merge_partials(partials.max_logits + first, partials.exp_sums + first,
                     partials.tmp_out + first * p.head_size, num_partitions, p.head_size, dim);
  p.out[row * p.head_size + dim] = from_float<Scalar>(out);
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
  launch_paged_attention_v2_partitions(partials, params, partition_size);
  paged_attention_v2_reduce<<<dim3(params.num_heads, params.num_seqs), kNumThreads>>>(
      partials, params, partition_size);
}

template decltype(launch_paged_attention_v2_partitions<float>)
    launch_paged_attention_v2_partitions<float>;
template decltype(launch_paged_attention_v2<float>) launch_paged_attention_v2<float>;
template decltype(launch_paged_attention_v2<__half>) launch_paged_attention_v2<__half>;
template decltype(launch_paged_attention_v2<__nv_bfloat16>)
    launch_paged_attention_v2<__nv_bfloat16>;

}  // namespace kv

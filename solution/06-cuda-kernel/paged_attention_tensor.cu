// Rung 6: the products of rung 5 on tensor cores.

#include "06-cuda-kernel/given/cuda_check.h"
#include "06-cuda-kernel/given/group_launch.cuh"
#include "kv/todo.h"
#include "tensor_tiles.cuh"

namespace kv {

// Copies the query heads of KV head blockIdx.x, a row for each; rows without a query head are 0.
template <class Scalar, int kHeadSize>
__device__ void load_queries(Scalar* query, const PagedAttentionParams<Scalar>& p) {
  constexpr int kVecs = kHeadSize / kVec<Scalar>;
  const int group_size = p.num_heads / p.num_kv_heads;
  const std::size_t first =
      static_cast<std::size_t>(blockIdx.y) * p.num_heads + blockIdx.x * group_size;
  for (int i = threadIdx.x; i < kTile * kVecs; i += kNumThreads) {
    const int h = i / kVecs;
    const int dim = i % kVecs * kVec<Scalar>;
    const bool has = h < group_size;
    const uint4 packed = has ? load_packed(p.query + (first + h) * kHeadSize + dim) : uint4();
    *reinterpret_cast<uint4*>(query + h * TensorShared<Scalar, kHeadSize>::kRow + dim) = packed;
  }
}

// Grid: (num_kv_heads, num_seqs, num_partitions). Block: kNumThreads threads. Shared: TensorShared.
// A block reads the tokens of its partition and writes one partial result for each query head; it
// writes nothing if its partition begins past the end of the sequence.
// Barriers: one before the scores of a row are read, one before the weights are, one before the
// sums of the warps are.
template <class Scalar, int kHeadSize>
__global__ void __launch_bounds__(kNumThreads, 3)
    paged_attention_tensor(PartialResults partials,
                           PagedAttentionParams<Scalar> p,
                           int partition_size) {
  using Shared = TensorShared<Scalar, kHeadSize>;
  extern __shared__ uint4 shared_bytes[];
  Shared& shared = *reinterpret_cast<Shared*>(shared_bytes);
  const int warp = threadIdx.x / kWarpSize;
  const int group_size = p.num_heads / p.num_kv_heads;
  const int first_token = blockIdx.z * partition_size;
  const int num_tokens = min(partition_size, p.seq_lens[blockIdx.y] - first_token);
  if (num_tokens <= 0) return;

  const int first_of_warp = warp * kTile;
  const int num_tiles = (num_tokens - first_of_warp + kNumWarps * kTile - 1) / (kNumWarps * kTile);
  TileStream<Scalar, kHeadSize> stream{shared.warps[warp].stages, p, first_token + first_of_warp,
                                       first_token + num_tokens, num_tiles};
  stream.start_next();
  load_queries<Scalar, kHeadSize>(shared.query, p);
  __syncthreads();  // the queries are there
  score_tiles<Scalar, kHeadSize>(shared.scores, shared.query, stream);
  __syncthreads();  // all scores are there

  const std::size_t first_row =
      static_cast<std::size_t>(blockIdx.y) * p.num_heads + blockIdx.x * group_size;
  for (int h = warp; h < group_size; h += kNumWarps) {
    const AttentionState<1> state =
        weigh_scores<Scalar>(shared.scores + h * Shared::kScoreRow, num_tokens, p.scale);
    if (threadIdx.x % kWarpSize > 0) continue;
    const std::size_t at = (first_row + h) * partials.num_partitions + blockIdx.z;
    partials.max_logits[at] = state.max_logit;
    partials.exp_sums[at] = state.exp_sum;
  }
  __syncthreads();  // all weights are there
  sum_values<Scalar, kHeadSize>(shared.warps[warp].out, shared.weights(), stream);
  __syncthreads();  // the sums of all warps are there

  for (int i = threadIdx.x; i < group_size * kHeadSize; i += kNumThreads) {
    float out = 0;
    for (const auto& each : shared.warps) out += each.out[i];
    const std::size_t at = (first_row + i / kHeadSize) * partials.num_partitions + blockIdx.z;
    partials.tmp_out[at * kHeadSize + i % kHeadSize] = out;
  }
}

template <class Scalar>
void launch_paged_attention_tensor(const PartialResults& partials,
                                   const PagedAttentionParams<Scalar>& params,
                                   int partition_size) {
  require_sizes(params);
  KV_REQUIRE("a KV head has at most 16 query heads",
             params.num_heads <= kTile * params.num_kv_heads);
  KV_REQUIRE("partition_size is a multiple of 16 and at most 512",
             partition_size % kTile == 0 && partition_size <= kMaxTensorPartition);
  KV_REQUIRE("there are partitions enough for max_seq_len tokens",
             has_partitions_for(params.max_seq_len, partials, partition_size));
  with_head_size(params.head_size, [&](auto head_size) {
    const auto kernel = paged_attention_tensor<Scalar, decltype(head_size)::value>;
    const auto bytes = sizeof(TensorShared<Scalar, decltype(head_size)::value>);
    KV_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(bytes)));
    kernel<<<dim3(params.num_kv_heads, params.num_seqs, partials.num_partitions), kNumThreads,
             bytes>>>(partials, params, partition_size);
    KV_CUDA_CHECK(cudaGetLastError());
  });
  launch_paged_attention_v2_reduce(partials, params, partition_size);
}

template decltype(launch_paged_attention_tensor<__half>) launch_paged_attention_tensor<__half>;
template decltype(launch_paged_attention_tensor<__nv_bfloat16>)
    launch_paged_attention_tensor<__nv_bfloat16>;

}  // namespace kv

#include "06-cuda-kernel/given/tensor_steps.cuh"  // steps 6.18 to 6.22 alone, for their tests

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
  KV_TODO("6.23 paged_attention_tensor");
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

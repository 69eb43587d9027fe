// Rung 2: attention with all scores of a query head in shared memory.
//
// Grid: (num_heads, num_seqs), one block for each query head of each sequence.
// Block: kNumThreads threads. Shared: a score for each token, max_seq_len floats.

#include "06-cuda-kernel/given/cuda_check.h"
#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/kernels.h"
#include "block_reduce.cuh"
#include "kv/todo.h"
#include "paged_rows.cuh"

namespace kv {

// Thread t owns the tokens t, t + kNumThreads, ...: it reads their keys and writes their scores.
__device__ void score_tokens(float* scores, const PagedAttentionParams<float>& p) {
  KV_TODO("6.6 score_tokens");
}

// Thread t owns the scores t, t + kNumThreads, ...: it reads and writes no other.
// Barriers: those of block_reduce.
__device__ void softmax_in_block(float* scores, int seq_len) {
  KV_TODO("6.7 softmax_in_block");
}

// Thread t owns dimension t of the result, if there is one: it reads all weights, and the value of
// each token in this dimension, and writes out once.
// Barriers: one, between the last weight that is written and the first that is read.
__global__ void paged_attention_v1(PagedAttentionParams<float> p) {
  KV_TODO("6.8 paged_attention_v1");
}

void launch_paged_attention_v1(const PagedAttentionParams<float>& params) {
  require_sizes(params);
  constexpr std::size_t kMaxScoreBytes = 47 * 1024;  // block_reduce needs the rest of 48 KiB
  const std::size_t score_bytes = params.max_seq_len * sizeof(float);
  KV_REQUIRE("the scores of max_seq_len tokens fit into 47 KiB of shared memory",
             score_bytes <= kMaxScoreBytes);
  paged_attention_v1<<<dim3(params.num_heads, params.num_seqs), kNumThreads, score_bytes>>>(params);
  KV_CUDA_CHECK(cudaGetLastError());
}

}  // namespace kv

#include "06-cuda-kernel/given/v1_steps.cuh"  // steps 6.5 to 6.7 alone, for their tests

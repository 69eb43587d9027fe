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
  const int head = blockIdx.x;
  const int seq = blockIdx.y;
  const float* const query = p.query + (seq * p.num_heads + head) * p.head_size;
  const int kv_head = head / (p.num_heads / p.num_kv_heads);
  for (int token = threadIdx.x; token < p.seq_lens[seq]; token += kNumThreads) {
    const float* const key = p.key_cache + row_of_token(p, seq, token, kv_head);
    float score = 0;
    for (int i = 0; i < p.head_size; ++i) score += query[i] * key[i];
    scores[token] = p.scale * score;
  }
}

// Thread t owns the scores t, t + kNumThreads, ...: it reads and writes no other.
// Barriers: those of block_reduce.
__device__ void softmax_in_block(float* scores, int seq_len) {
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < seq_len; i += kNumThreads) largest = fmaxf(largest, scores[i]);
  largest = block_reduce(largest, Max());
  float sum = 0;
  for (int i = threadIdx.x; i < seq_len; i += kNumThreads) {
    scores[i] = expf(scores[i] - largest);
    sum += scores[i];
  }
  sum = block_reduce(sum, Sum());
  for (int i = threadIdx.x; i < seq_len; i += kNumThreads) scores[i] /= sum;
}

// Thread t owns dimension t of the result, if there is one: it reads all weights, and the value of
// each token in this dimension, and writes out once.
// Barriers: one, between the last weight that is written and the first that is read.
__global__ void paged_attention_v1(PagedAttentionParams<float> p) {
  extern __shared__ float scores[];
  const int head = blockIdx.x;
  const int seq = blockIdx.y;
  const int kv_head = head / (p.num_heads / p.num_kv_heads);
  const int seq_len = p.seq_lens[seq];
  score_tokens(scores, p);
  softmax_in_block(scores, seq_len);
  __syncthreads();  // all weights are there

  const int dim = threadIdx.x;
  if (dim >= p.head_size) return;
  float sum = 0;
  for (int token = 0; token < seq_len; ++token) {
    sum += scores[token] * p.value_cache[row_of_token(p, seq, token, kv_head) + dim];
  }
  p.out[(seq * p.num_heads + head) * p.head_size + dim] = sum;
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

// Rung 2: attention with all scores of a query head in shared memory.
//
// Grid: (num_heads, num_seqs), one block for each query head of each sequence.
// Block: kNumThreads threads. Shared: a score for each token, max_seq_len floats.

#include "06-cuda-kernel/given/dispatch.h"
#include "06-cuda-kernel/kernels.h"
#include "block_reduce.cuh"
#include "kv/todo.h"
#include "paged_rows.cuh"

namespace kv {

// Thread t owns the tokens t, t + kNumThreads, ...: it reads their keys and writes their scores.
__device__ void score_tokens(float* scores, const PagedAttentionParams<float>& p) {
  KV_TODO("6.5 score_tokens");
}

// Thread t owns the scores t, t + kNumThreads, ...: it reads and writes no other.
// Barriers: those of block_reduce.
__device__ void softmax_in_block(float* scores, int seq_len) {
  KV_TODO("6.6 softmax_in_block");
}

// Thread t owns dimension t of the result, if there is one: it reads all weights, and the value of
// each token in this dimension, and writes out once.
// Barriers: one, between the last weight that is written and the first that is read.
__global__ void paged_attention_v1(PagedAttentionParams<float> p) {
  KV_TODO("6.7 paged_attention_v1");
}

void launch_paged_attention_v1(const PagedAttentionParams<float>& params) {
  require_sizes(params);
  constexpr std::size_t kMaxSharedBytes = 48 * 1024;
  const std::size_t shared_bytes = params.max_seq_len * sizeof(float);
  KV_REQUIRE("the scores of max_seq_len tokens fit into 48 KiB less 512 bytes of shared memory",
             shared_bytes + kNumThreads * sizeof(float) <= kMaxSharedBytes);
  const dim3 grid(params.num_heads, params.num_seqs);
  paged_attention_v1<<<grid, kNumThreads, shared_bytes>>>(params);
}

// Given, for the tests of steps 6.4 to 6.6: one of them alone.
__global__ void write_rows(std::int64_t* rows, PagedAttentionParams<float> p) {
  const int seq = blockIdx.y;
  const int kv_head = threadIdx.x;
  const int token = blockIdx.x;
  if (token >= p.seq_lens[seq]) return;
  rows[(seq * p.max_seq_len + token) * p.num_kv_heads + kv_head] =
      row_of_token(p, seq, token, kv_head);
}

void launch_row_of_token(std::int64_t* rows, const PagedAttentionParams<float>& params) {
  write_rows<<<dim3(params.max_seq_len, params.num_seqs), params.num_kv_heads>>>(rows, params);
}

__global__ void write_scores(float* scores, PagedAttentionParams<float> p) {
  score_tokens(scores + (blockIdx.y * p.num_heads + blockIdx.x) * p.max_seq_len, p);
}

void launch_score_tokens(float* scores, const PagedAttentionParams<float>& params) {
  write_scores<<<dim3(params.num_heads, params.num_seqs), kNumThreads>>>(scores, params);
}

__global__ void write_weights(float* scores, const int* seq_lens, int max_seq_len) {
  softmax_in_block(scores + blockIdx.x * max_seq_len, seq_lens[blockIdx.x]);
}

void launch_softmax_in_block(float* scores, const int* seq_lens, int num_rows, int max_seq_len) {
  write_weights<<<num_rows, kNumThreads>>>(scores, seq_lens, max_seq_len);
}

}  // namespace kv

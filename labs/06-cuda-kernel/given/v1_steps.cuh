#pragma once
// For the tests: steps 6.5 to 6.7, each of them alone.
// paged_attention_v1.cu includes this file at its end, where these functions are known.

namespace kv {

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

#pragma once
// The extra rungs: each key and each value is read from device memory once, and a long sequence is
// cut into partitions that run side by side. Steps 6.14 and 6.16 have the result of step 6.11.

#include "06-cuda-kernel/paged_attention_params.h"

namespace kv {

// The parts of a result, for step 6.10. A part is num_tokens tokens of one sequence.
struct PartialResults {
  float* exp_sums;    // [num_seqs, num_heads, num_partitions]
  float* max_logits;  // [num_seqs, num_heads, num_partitions]
  float* tmp_out;     // [num_seqs, num_heads, num_partitions, head_size]
  int num_partitions;
};

// 6.12 (extra)  6.9 in rounds of four tokens: the state after all of them, with one maximum and one
// rescale for each round. A token with the score -INFINITY is none.
void launch_add_scores(float* state,         // [3]: largest score, sum, out
                       const float* scores,  // [num_rounds, 4]
                       const float* values,  // [num_rounds, 4]
                       int num_rounds);

// 6.13 (extra)  The states of all query heads over the tokens from first_token to end_token - 1,
// which begin and end anywhere. A key and a value that a thread has loaded serve up to four query
// heads. Without tokens the largest score is -INFINITY, and the sums are 0.
template <class Scalar>
void launch_attend_tokens(const PartialResults& states,  // num_partitions is 1
                          const PagedAttentionParams<Scalar>& params,
                          int first_token,
                          int end_token);

// 6.14 (extra)  6.11 with one thread block for up to four query heads of a KV head: the keys and
// values of a group of four are read from device memory once.
template <class Scalar>
void launch_paged_attention_group(const PagedAttentionParams<Scalar>& params);

// 6.15 (extra)  The states of all partitions of partition_size tokens, one thread block for each.
// The last partition of a sequence may have fewer tokens; those after it are not written. Misuse:
// fewer partitions than max_seq_len needs are refused.
template <class Scalar>
void launch_paged_attention_v2_partitions(const PartialResults& partials,
                                          const PagedAttentionParams<Scalar>& params,
                                          int partition_size);

// The second kernel of 6.16, alone.
template <class Scalar>
void launch_paged_attention_v2_reduce(const PartialResults& partials,
                                      const PagedAttentionParams<Scalar>& params,
                                      int partition_size);

// 6.16 (extra)  6.15, and then one more kernel that merges the partitions of each sequence into
// out.
template <class Scalar>
void launch_paged_attention_v2(const PartialResults& partials,
                               const PagedAttentionParams<Scalar>& params,
                               int partition_size = kPartitionSize);

constexpr int kPartitionUnit = 64;  // tokens

// 6.17 (extra)  How many tokens a partition should have: as few as possible, but so many that the
// thread blocks of all partitions can be at work at the same time, and a multiple of
// kPartitionUnit. With fewer, some blocks wait for others to end; with more, a part of the GPU has
// nothing to do. num_blocks: the thread blocks of one partition. num_blocks_at_once: those that the
// GPU holds. A partition is not shorter than kPartitionUnit tokens, and where num_blocks alone fill
// the GPU, it is all max_seq_len tokens.
int choose_partition_size(int max_seq_len, int num_blocks, int num_blocks_at_once);

constexpr int kMaxTensorPartition = 512;  // tokens, whose scores fit into shared memory

// 6.23 (extra)  6.16 on tensor cores, for groups of up to 16 query heads, half and bfloat16.
// partition_size: a multiple of 16, at most kMaxTensorPartition; anything else is refused.
template <class Scalar>
void launch_paged_attention_tensor(const PartialResults& partials,
                                   const PagedAttentionParams<Scalar>& params,
                                   int partition_size = kMaxTensorPartition);

}  // namespace kv

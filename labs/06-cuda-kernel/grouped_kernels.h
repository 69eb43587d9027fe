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

// 6.12 (extra)  Copies what one KV head has in the first num_tokens slots of a block to shared
// memory, 16 bytes for each thread at a time: the keys, and the values after block_size keys. What
// the tile has for other slots is not written, and these slots are not read.
template <class Scalar>
void launch_load_tile(Scalar* tiles,  // [num_seqs, num_kv_heads, 2, block_size, head_size]
                      const PagedAttentionParams<Scalar>& params,
                      int num_tokens);  // of the first block of each sequence

// 6.13 (extra)  The state of a query head over the tokens from first_token to end_token - 1, which
// begin and end anywhere. One warp for each query head of a KV head; all of them read the same tile
// in shared memory. Without tokens the largest score is -INFINITY, and the sums are 0.
template <class Scalar>
void launch_attend_tokens(const PartialResults& states,  // num_partitions is 1
                          const PagedAttentionParams<Scalar>& params,
                          int first_token,
                          int end_token);

// 6.14 (extra)  6.11 with one thread block for each KV head of each sequence: its keys and values
// are read from device memory once for the whole group of query heads.
template <class Scalar>
void launch_paged_attention_group(const PagedAttentionParams<Scalar>& params);

// 6.15 (extra)  The states of all partitions of partition_size tokens, one thread block for each.
// The last partition of a sequence may have fewer tokens; those after it are not written. Misuse:
// fewer partitions than max_seq_len needs are refused.
template <class Scalar>
void launch_paged_attention_v2_partitions(const PartialResults& partials,
                                          const PagedAttentionParams<Scalar>& params,
                                          int partition_size);

// 6.16 (extra)  6.15, and then one more kernel that merges the partitions of each sequence into
// out.
template <class Scalar>
void launch_paged_attention_v2(const PartialResults& partials,
                               const PagedAttentionParams<Scalar>& params,
                               int partition_size = kPartitionSize);

}  // namespace kv

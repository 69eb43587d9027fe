#pragma once
// The extra rungs: a key serves several query heads, a long sequence is cut into partitions that
// run side by side, and tensor cores multiply. Steps 6.14, 6.16 and 6.23 have the result of
// step 6.11.

#include "06-cuda-kernel/paged_attention_params.h"

namespace kv {

// The parts of a result, for step 6.10. A part is num_tokens tokens of one sequence.
struct PartialResults {
  float* exp_sums;     // [num_seqs, num_heads, num_partitions]
  float* max_logits;   // [num_seqs, num_heads, num_partitions]
  float* tmp_out;      // [num_seqs, num_heads, num_partitions, head_size]
  int num_partitions;  // a grid has at most 65,535 blocks in z, so 6.15 and 6.23 take no more
};

// 6.12 (extra)  Step 6.9 in rounds of four tokens: the state after all of them, with one maximum
// and one rescale for each round. A token with the score -INFINITY is none.
void launch_add_scores(float* state,         // [10]: largest score, sum, 8 dimensions of out
                       const float* scores,  // [num_rounds, 4]
                       const float* values,  // [num_rounds, 4, 8]
                       int num_rounds);

// 6.13 (extra)  The states of all query heads over the tokens from first_token to end_token - 1,
// which begin and end anywhere. Earlier tokens cost nothing. A key and a value that a thread has
// loaded serve up to four query heads. Without tokens the largest score is -INFINITY, and the sums
// are 0.
template <class Scalar>
void launch_attend_tokens(const PartialResults& states,  // num_partitions is 1
                          const PagedAttentionParams<Scalar>& params,
                          int first_token,
                          int end_token);

// 6.14 (extra)  Step 6.11 with one thread block for up to four query heads of a KV head: the keys
// and values of a group of four are read from device memory once.
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
// GPU holds. Where num_blocks alone fill the GPU, one partition has all max_seq_len tokens. For an
// empty batch, of no tokens, it is kPartitionUnit.
int choose_partition_size(int max_seq_len, int num_blocks, int num_blocks_at_once);

constexpr int kTile = 16;  // tokens of a tile, query heads, and dimensions of one multiplication
constexpr int kMaxTensorPartition = 512;  // tokens, whose scores fit into shared memory

// 6.18 (extra)  Starts to copy the rows of kTile tokens of one KV head to shared memory, from
// first_token on, which is a multiple of 8, and closes the batch; it does not wait. Each copy is 16
// bytes. Rows of tokens from end_token on become 0, and their slots are not read.
template <class Scalar>
void launch_start_tile(Scalar* tiles,  // [num_seqs, num_kv_heads, 2, kTile, head_size]: K, then V
                       const PagedAttentionParams<Scalar>& params,
                       int first_token,
                       int end_token,  // the end of the sequence, if it is shorter
                       bool waits);    // false: the keys are read before their batch has arrived

// 6.19 (extra)  Returns the next tile of a warp when it has arrived. The tiles of keys come first,
// then those of values. While the caller uses a tile, the one after it is on its way.
template <class Scalar>
void launch_tile_stream(
    Scalar* tiles,  // [num_seqs, num_kv_heads, 2 * kMaxTensorPartition, head_size]: K, then V
    const PagedAttentionParams<Scalar>& params,
    int first_token,    // the partition begins here, at a multiple of kTile
    bool reads_ahead);  // true: not the tile that next returns is read, but the one after it

// 6.20 (extra)  The products of all query heads of a KV head with the keys of its tokens: query .
// key, without the scale.
template <class Scalar>
void launch_score_tiles(float* scores,  // [num_seqs, num_heads, kMaxTensorPartition]
                        const PagedAttentionParams<Scalar>& params,
                        int first_token);  // the partition begins here, at a multiple of kTile

// 6.21 (extra)  Replaces the scores of a query head by their weights, exp(scale * (score - the
// largest)), as Scalars from the beginning of the row on. Up to the end of the last tile, the
// weights of tokens that are none are 0. The state has the largest score, times scale, and the sum
// of the weights as they are stored.
template <class Scalar>
void launch_weigh_scores(Scalar* weights,        // [num_rows, kMaxTensorPartition]
                         float* max_logits,      // [num_rows]
                         float* exp_sums,        // [num_rows]
                         const float* scores,    // [num_rows, kMaxTensorPartition]
                         const int* num_tokens,  // [num_rows], at least 1
                         int num_rows,
                         float scale);

// 6.22 (extra)  The sums of weight times value over the tokens, for all query heads of a KV head.
template <class Scalar>
void launch_sum_values(float* out,             // [num_seqs, num_heads, head_size]
                       const Scalar* weights,  // [num_seqs, num_heads, kMaxTensorPartition]
                       const PagedAttentionParams<Scalar>& params,
                       int first_token);  // the partition begins here, at a multiple of kTile

// 6.23 (extra)  Step 6.16 on tensor cores, for half and bfloat16: the keys and values of a group of
// up to kTile query heads are read from device memory once. Each number of a partial result is
// written once, and nothing is written for partitions without tokens. Misuse: larger groups, a
// partition_size that is no multiple of kTile or larger than kMaxTensorPartition, and fewer
// partitions than max_seq_len needs are refused.
template <class Scalar>
void launch_paged_attention_tensor(const PartialResults& partials,
                                   const PagedAttentionParams<Scalar>& params,
                                   int partition_size = kMaxTensorPartition);

}  // namespace kv

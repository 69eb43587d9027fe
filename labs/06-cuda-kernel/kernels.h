#pragma once
// The kernels of paged attention on a GPU, rung by rung. Each function here launches one of them on
// memory of the device and returns at once, as a launch does. It is the same under nvcc and on the
// CPU. The shape of a tensor is in its comment; the last dimension is contiguous.
//
// I10 and I11 of lab 05 hold for every rung: slots come from the block table, and a slot that holds
// no token of the sequence is not read.
//
// From 6.11 on, at least 28 lanes of a warp take part in a step, on average, and shared memory
// takes at most twice the wavefronts that it takes without bank conflicts.

#include <cstdint>

#include "06-cuda-kernel/paged_attention_params.h"

namespace kv {

// 6.1  sum[i] = a[i] + b[i] for each i from 0 to n - 1, one thread for each i. Threads past the
// end touch no memory.
void launch_vector_add(float* sum, const float* a, const float* b, int n);

// 6.2  Every lane gets the values of its group of num_lanes neighboring lanes, 8, 16 or 32,
// combined by op: here their maximum and their sum. No shared memory, no barrier of the block.
void launch_group_reduce(float* maxima,        // [num_warps, kWarpSize]
                         float* sums,          // [num_warps, kWarpSize]
                         const float* values,  // [num_warps, kWarpSize]
                         int num_warps,
                         int num_lanes);

// 6.3  Every thread of a block of kNumThreads threads gets the values of all threads of the block,
// combined by op; it can be called again at once, as here for the maximum and then the sum.
void launch_block_reduce(float* maxima,        // [num_blocks, kNumThreads]
                         float* sums,          // [num_blocks, kNumThreads]
                         const float* values,  // [num_blocks, kNumThreads]
                         int num_blocks);

// 6.4  Copies the key and the value of token i into row slot_mapping[i] of the caches. A token
// whose slot is -1 is skipped. Each warp reads and writes neighboring numbers.
// Requires: no slot of the caches is listed twice.
template <class Scalar>
void launch_reshape_and_cache(const Scalar* key,    // [num_tokens, num_kv_heads, head_size]
                              const Scalar* value,  // [num_tokens, num_kv_heads, head_size]
                              Scalar* key_cache,    // [num_slots, num_kv_heads, head_size]
                              Scalar* value_cache,  // [num_slots, num_kv_heads, head_size]
                              const std::int64_t* slot_mapping,  // [num_tokens]
                              int num_tokens,
                              int row_size);  // num_kv_heads * head_size

// 6.5  The index in key_cache and value_cache where the row of a token and a KV head begins (I10),
// in 64 bits.
void launch_row_of_token(std::int64_t* rows,  // [num_seqs, max_seq_len, num_kv_heads]
                         const PagedAttentionParams<float>& params);

// 6.6  The scores of a query head: scale * query . key of each of its seq_len tokens, and nothing
// after them. Query head h reads KV head h / (num_heads / num_kv_heads).
void launch_score_tokens(float* scores,  // [num_seqs, num_heads, max_seq_len]
                         const PagedAttentionParams<float>& params);

// 6.7  Replaces the first seq_len scores by their weights: exp(score - the largest), over the sum
// of these. Without tokens it does nothing.
void launch_softmax_in_block(float* scores,        // [num_rows, max_seq_len], becomes the weights
                             const int* seq_lens,  // [num_rows]
                             int num_rows,
                             int max_seq_len);

// 6.8  Attention of one query token for each sequence: out is the sum of weight times value over
// its seq_len tokens, and 0 without tokens. One thread block for each query head of each sequence.
// Misuse: scores of max_seq_len tokens that do not fit into 47 KiB of shared memory are refused.
void launch_paged_attention_v1(const PagedAttentionParams<float>& params);

// 6.9  Adds a token to the state of an online softmax: the largest score so far, the sum of
// exp(score - largest), and the sum of exp(score - largest) times value. It stays finite for any
// finite scores.
void launch_add_token(float* state,         // [10]: largest score, sum, 8 dimensions of out
                      const float* scores,  // [num_tokens]
                      const float* values,  // [num_tokens, 8]
                      int num_tokens);

// 6.10  One dimension of the result, from states of parts of the tokens: each is weighted with
// exp(its largest score - the largest of all). A part without tokens has the largest score
// -INFINITY and adds nothing: its sum and out are not read. Without any tokens the result is 0.
void launch_merge_partials(float* out,               // [head_size]
                           const float* max_logits,  // [num_partials]
                           const float* exp_sums,    // [num_partials]
                           const float* tmp_out,     // [num_partials, head_size]
                           int num_partials,
                           int head_size);

// 6.11  6.8 in one pass, without scores in memory: a group of lanes holds one token, 16 bytes of
// its key and value in each lane. Any seq_len fits. Each request for keys and values is 16 bytes a
// lane, and moves no sector in vain. It writes each number of out once, and nothing else to device
// memory.
template <class Scalar>
void launch_paged_attention_warp(const PagedAttentionParams<Scalar>& params);

}  // namespace kv

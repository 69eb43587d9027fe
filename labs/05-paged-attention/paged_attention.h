#pragma once
// From a block table to keys and values, and back: write one token, read them all.
//
//    position  --block table-->  slot  --layout-->  address
//
//   I10  A token at position p lies in slot
//        block_table[p / block_size] * block_size + p % block_size, and in no other.
//   I11  Attention over seq_len tokens reads the slots of positions 0 to seq_len - 1 and no others,
//        not even times zero. Where they lie never shows in the result.
//
// Real is float or double: call paged_attention<double>(...). head_dim is any number of dimensions,
// num_heads that of the query heads. Query head h reads KV head h / (num_heads / num_kv_heads), so
// num_heads has to be a multiple of num_kv_heads.
//
// Misuse, in every function: spans whose sizes contradict the shapes beside them, or a block of
// the table that is needed and not in the cache, are refused, and nothing has been written.

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "05-paged-attention/paged_layout.h"

namespace kv {

// 5.1  The slots of the positions start to start + num_tokens - 1 of a request, and behind them
// kPadSlotId until there are padded_size entries, for kernels that run on batches of fixed sizes.
// Misuse: blocks of no slots, or a position past the table, are refused.
// O(result).                                         vLLM: BlockTable.compute_slot_mapping
std::vector<SlotId> build_slot_mapping(std::span<const BlockId> block_table,  // [num_blocks]
                                       std::size_t block_size,
                                       std::size_t start,
                                       std::size_t num_tokens,
                                       std::size_t padded_size = 0);

// 5.2  Puts the key and the value of token i into slot_mapping[i]; kPadSlotId is passed over.
// Misuse: a slot that is neither in the cache nor kPadSlotId is refused before anything is written.
// O(k.size()).                                       vLLM: reshape_and_cache
template <class Real>
void write_kv(std::span<const Real> k,               // [num_tokens, num_kv_heads, head_dim]
              std::span<const Real> v,               // [num_tokens, num_kv_heads, head_dim]
              std::span<const SlotId> slot_mapping,  // [num_tokens]
              const KVCache<Real>& cache);           // [num_blocks, block_size, num_kv_heads, ...]

// 5.3  Turns scores into weights that sum to 1: exp(score) over the sum of them all. Finite for
// every finite score. No scores: nothing to do.
// O(scores.size()), allocates nothing.
template <class Real>
void stable_softmax(std::span<Real> scores);  // [seq_len]

// 5.4  out = sum over i of softmax(scale * query . key_i) * value_i, for each query head, over the
// first seq_len tokens of the table; zeros when there are none. Keys and values are read where they
// lie: no copy of them is made.
// O(num_heads * seq_len * head_dim), memory for O(num_heads * seq_len) numbers.
//                                                    vLLM: paged_attention_v1
template <class Real>
void paged_attention(std::span<Real> out,                   // [num_heads, head_dim]
                     std::span<const Real> query,           // [num_heads, head_dim]
                     const KVCache<Real>& cache,            // [num_blocks, block_size, ...]
                     std::span<const BlockId> block_table,  // [ceil(seq_len / block_size)] or more
                     std::size_t seq_len,
                     Real scale);

// 5.5  paged_attention for many sequences in one call, as a decode kernel is called. Row s of
// block_tables is the table of sequence s; entries behind the blocks that its tokens need may be
// anything, and are not read.
//                                                    vLLM: paged_attention_v1
template <class Real>
void paged_attention_batch(
    std::span<Real> out,                    // [num_seqs, num_heads, head_dim]
    std::span<const Real> query,            // [num_seqs, num_heads, head_dim]
    const KVCache<Real>& cache,             // [num_blocks, block_size, ...]
    std::span<const BlockId> block_tables,  // [num_seqs, max_num_blocks_per_seq]
    std::span<const std::size_t> seq_lens,  // [num_seqs]
    Real scale);

// 5.6  A chunk of a prompt: query i stands at position context_len + i and attends to every
// position before it and to its own. Keys and values of the chunk are in the cache already. How a
// prompt is cut into chunks changes nothing.
//                                                    vLLM: prefix_prefill.py, context_attention_fwd
template <class Real>
void paged_prefill_attention(std::span<Real> out,          // [num_tokens, num_heads, head_dim]
                             std::span<const Real> query,  // [num_tokens, num_heads, head_dim]
                             const KVCache<Real>& cache,   // [num_blocks, block_size, ...]
                             std::span<const BlockId> block_table,  // [num_blocks of the request]
                             std::size_t context_len,
                             std::size_t num_tokens,
                             Real scale);

// What one query head knows of the tokens that it has read so far.
template <class Real>
struct AttentionState {
  explicit AttentionState(std::size_t head_dim) : out(head_dim) {}

  Real max = -std::numeric_limits<Real>::infinity();  // of the scores
  Real sum = 0;                                       // of exp(score - max); 0: nothing read yet
  std::vector<Real> out;                              // [head_dim], of exp(score - max) * value
};

// 5.7  What query head `query` knows after the first num_tokens slots of one block.
// O(num_tokens * head_dim).
template <class Real>
AttentionState<Real> attend_block(std::span<const Real> query,  // [head_dim]
                                  const KVCache<Real>& cache,   // [num_blocks, block_size, ...]
                                  BlockId block_id,
                                  std::size_t kv_head,
                                  std::size_t num_tokens,
                                  Real scale);

// 5.8  `state` as if it had read the tokens of `more` too. The order of merging does not matter,
// but for rounding.
// O(head_dim), allocates nothing.                    vLLM: merge_attn_states
template <class Real>
void merge_attn_states(AttentionState<Real>& state, const AttentionState<Real>& more);

// 5.9  paged_attention in one pass over keys and values, block by block. Memory does not grow with
// seq_len.
// O(num_heads * seq_len * head_dim).                 vLLM: paged_attention_v2, in spirit
template <class Real>
void paged_attention_streaming(std::span<Real> out,          // [num_heads, head_dim]
                               std::span<const Real> query,  // [num_heads, head_dim]
                               const KVCache<Real>& cache,   // [num_blocks, block_size, ...]
                               std::span<const BlockId> block_table,  // as paged_attention's
                               std::size_t seq_len,
                               Real scale);

}  // namespace kv

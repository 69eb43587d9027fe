#pragma once
// Writes keys and values through a block table, and attends to them through the same table.
//
//    position  --block table-->  slot  --layout-->  address
//
//   I10  The token at position p is in slot
//        block_table[p / block_size] * block_size + p % block_size, and in no other.
//   I11  Attention over seq_len tokens reads the slots of positions 0 to seq_len - 1 and no others,
//        not even with weight 0. The result does not depend on where the blocks are.
//
// Real is float or double. A function that takes spans cannot deduce it from vectors: write
// paged_attention<double>(...). num_heads is the number of query heads, head_dim the number of
// dimensions of a head, and any number but 0 is allowed. Query head h reads KV head
// h / (num_heads / num_kv_heads), so num_heads has to be a multiple of num_kv_heads.
//
// Refused means: KV_REQUIRE throws a ContractViolation before anything has been written. Every
// function refuses spans whose sizes contradict the shapes in the comment beside them (a tensor of
// the cache that is shorter or longer than its layout, too), and a table that lacks a needed block
// or names one that is not in the cache. Sizes and positions whose sums or products do not fit into
// 64 bits are refused in the same way.

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "05-paged-attention/paged_layout.h"

namespace kv {

// 5.1  The slots of the positions start to start + num_tokens - 1 of a request, followed by
// kPadSlotId until there are padded_size entries, for kernels that run on batches of fixed sizes.
// Misuse: a block_size of 0, a position past the end of the table, a needed block of a negative id,
// or a slot that does not fit into a SlotId, is refused.
// O(result).                                         vLLM: BlockTable.compute_slot_mapping
std::vector<SlotId> build_slot_mapping(std::span<const BlockId> block_table,  // [num_blocks]
                                       std::size_t block_size,
                                       std::size_t start,
                                       std::size_t num_tokens,
                                       std::size_t padded_size = 0);

// 5.2  Writes the key and the value of token i into slot_mapping[i]; kPadSlotId is skipped.
// Requires: no slot of the cache is listed twice.
// Misuse: a slot that is neither in the cache nor kPadSlotId is refused before anything is written.
// O(k.size()).                                       vLLM: reshape_and_cache
template <class Real>
void write_kv(std::span<const Real> k,               // [num_tokens, num_kv_heads, head_dim]
              std::span<const Real> v,               // [num_tokens, num_kv_heads, head_dim]
              std::span<const SlotId> slot_mapping,  // [num_tokens]
              const KVCache<Real>& cache);           // [num_blocks, block_size, num_kv_heads, ...]

// 5.3  Replaces each score by its weight: exp(score) divided by the sum of exp over all scores. The
// weights of finite scores are finite. An empty span stays as it is.
// O(scores.size()), allocates nothing.
template <class Real>
void stable_softmax(std::span<Real> scores);  // [seq_len]

// 5.4  For each query head: out = sum over i of weight_i * value_i, where the weights are the
// softmax of the scores scale * query . key_i, over the first seq_len tokens of the table. Without
// tokens out is 0. Keys and values are read in place: no copy of them is made. O(num_heads *
// seq_len * head_dim), memory for O(num_heads * seq_len) numbers.
//                                                    vLLM: paged_attention_v1, until 0.24
template <class Real>
void paged_attention(std::span<Real> out,                   // [num_heads, head_dim]
                     std::span<const Real> query,           // [num_heads, head_dim]
                     const KVCache<Real>& cache,            // [num_blocks, block_size, ...]
                     std::span<const BlockId> block_table,  // [ceil(seq_len / block_size)] or more
                     std::size_t seq_len,
                     Real scale);

// 5.5  paged_attention for many sequences in one call, as a decode kernel is called. Row s of
// block_tables is the table of sequence s. The entries after the blocks that its tokens need are
// not read, and may have any value.
//                                                    vLLM: paged_attention_v1, until 0.24
template <class Real>
void paged_attention_batch(
    std::span<Real> out,                    // [num_seqs, num_heads, head_dim]
    std::span<const Real> query,            // [num_seqs, num_heads, head_dim]
    const KVCache<Real>& cache,             // [num_blocks, block_size, ...]
    std::span<const BlockId> block_tables,  // [num_seqs, max_num_blocks_per_seq]
    std::span<const std::size_t> seq_lens,  // [num_seqs]
    Real scale);

// 5.6  A chunk of a prompt: query i is at position context_len + i and attends to every position
// before it and to its own. Keys and values of the chunk are in the cache already. The result does
// not depend on how the prompt is cut into chunks.
//                                                    vLLM: prefix_prefill.py, context_attention_fwd
template <class Real>
void paged_prefill_attention(std::span<Real> out,          // [num_tokens, num_heads, head_dim]
                             std::span<const Real> query,  // [num_tokens, num_heads, head_dim]
                             const KVCache<Real>& cache,   // [num_blocks, block_size, ...]
                             std::span<const BlockId> block_table,  // [num_blocks of the request]
                             std::size_t context_len,
                             std::size_t num_tokens,
                             Real scale);

// The partial result of one query head over the tokens that it has read so far.
template <class Real>
struct AttentionState {
  explicit AttentionState(std::size_t head_dim) : out(head_dim) {}

  Real max = -std::numeric_limits<Real>::infinity();  // the largest score
  Real sum = 0;                                       // sum of exp(score - max); 0: none read yet
  std::vector<Real> out;                              // [head_dim], of exp(score - max) * value
};

// 5.7  The state of one query head over the first num_tokens slots of one block.
// Misuse: a block or KV head that is not there, and more slots than a block has, are refused.
// O(num_tokens * head_dim).
template <class Real>
AttentionState<Real> attend_block(std::span<const Real> query,  // [head_dim]
                                  const KVCache<Real>& cache,   // [num_blocks, block_size, ...]
                                  BlockId block_id,
                                  std::size_t kv_head,
                                  std::size_t num_tokens,
                                  Real scale);

// 5.8  Makes `state` the state over its own tokens and those of `more`. The order in which states
// are merged changes only the rounding.
// O(head_dim), allocates nothing.                    vLLM: merge_attn_states
template <class Real>
void merge_attn_states(AttentionState<Real>& state, const AttentionState<Real>& more);

// 5.9  paged_attention in one pass over keys and values, block by block. Memory does not grow with
// seq_len.
// O(num_heads * seq_len * head_dim).                 vLLM: paged_attention_v2, until 0.24
template <class Real>
void paged_attention_streaming(std::span<Real> out,          // [num_heads, head_dim]
                               std::span<const Real> query,  // [num_heads, head_dim]
                               const KVCache<Real>& cache,   // [num_blocks, block_size, ...]
                               std::span<const BlockId> block_table,  // as paged_attention's
                               std::size_t seq_len,
                               Real scale);

}  // namespace kv

#pragma once
// Rung 2: from a token to its key and value, through the block table.

#include "06-cuda-kernel/paged_attention_params.h"
#include "kv/todo.h"

namespace kv {

// Reads one entry of the block table.
template <class Scalar>
__device__ std::size_t row_of_token(const PagedAttentionParams<Scalar>& p,
                                    int seq,
                                    int token,
                                    int kv_head) {
  const int* const block_table = p.block_tables + seq * p.max_num_blocks_per_seq;
  const std::size_t block = block_table[token / p.block_size];
  const std::size_t slot = block * p.block_size + token % p.block_size;
  return (slot * p.num_kv_heads + kv_head) * p.head_size;
}

}  // namespace kv

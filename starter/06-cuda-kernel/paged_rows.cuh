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
  KV_TODO("6.5 row_of_token");
}

}  // namespace kv

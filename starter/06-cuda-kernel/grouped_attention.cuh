#pragma once
// Rung 4: one warp for each query head of a KV head. All of them read the same keys and values,
// from shared memory.

#include "06-cuda-kernel/given/vec16.cuh"
#include "online_softmax.cuh"
#include "paged_rows.cuh"

namespace kv {

// Called by all threads of a block. Copies the rows of num_tokens tokens of one KV head, from
// first_token on, which is row 0, in pieces of 16 bytes:
//
//   tile, block_size 16   | K of row 0 | K of row 1 | ... | K of row 15 | V of row 0 | ...
//
// Neighboring threads copy neighboring pieces. Barriers: none; the caller needs one.
template <class Scalar>
__device__ void load_tile(Scalar* tile,
                          const PagedAttentionParams<Scalar>& p,
                          int seq,
                          int kv_head,
                          int first_token,
                          int num_tokens) {
  KV_TODO("6.12 load_tile");
}

// Called by all threads of a block: one warp for each query head of KV head blockIdx.x of sequence
// blockIdx.y. Lane l owns the dimensions l, l + 32, ... of its query head.
// Shared: the tile, for block_size tokens. Barriers: one before a tile is read, one before it is
// overwritten.
template <class Scalar, int kHeadSize>
__device__ AttentionState<kHeadSize / kWarpSize> attend_tokens(
    Scalar* tile, const PagedAttentionParams<Scalar>& p, int first_token, int end_token) {
  KV_TODO("6.13 attend_tokens");
}

}  // namespace kv

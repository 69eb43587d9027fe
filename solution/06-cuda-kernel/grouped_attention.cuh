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
  Scalar* const key_tile = tile;
  Scalar* const value_tile = tile + p.block_size * p.head_size;
  const int num_vecs = p.head_size / kVec<Scalar>;  // of one row
  const int num_threads = blockDim.x;
  for (int i = threadIdx.x; i < num_tokens * num_vecs; i += num_threads) {
    const int token = first_token + i / num_vecs;
    const std::size_t from = row_of_token(p, seq, token, kv_head) + i % num_vecs * kVec<Scalar>;
    copy_vec(key_tile + i * kVec<Scalar>, p.key_cache + from);
    copy_vec(value_tile + i * kVec<Scalar>, p.value_cache + from);
  }
}

// Called by all threads of a block: one warp for each query head of KV head blockIdx.x of sequence
// blockIdx.y. Lane l owns the dimensions l, l + 32, ... of its query head.
// Shared: the tile, for block_size tokens. Barriers: one before a tile is read, one before it is
// overwritten.
template <class Scalar, int kHeadSize>
__device__ AttentionState<kHeadSize / kWarpSize> attend_tokens(
    Scalar* tile, const PagedAttentionParams<Scalar>& p, int first_token, int end_token) {
  constexpr int kDims = kHeadSize / kWarpSize;
  const int kv_head = blockIdx.x;
  const int seq = blockIdx.y;
  const int lane = threadIdx.x % kWarpSize;
  const Scalar* const query = p.query + query_row(p) + lane;
  AttentionState<kDims> state;
  float q[kDims];
  for (int i = 0; i < kDims; ++i) q[i] = to_float(query[i * kWarpSize]);
  for (int first = first_token; first < end_token; first += p.block_size) {
    const int num_tokens = min(p.block_size, end_token - first);
    load_tile(tile, p, seq, kv_head, first, num_tokens);
    __syncthreads();  // the tile is there
    for (int t = 0; t < num_tokens; ++t) {
      const Scalar* const key = tile + t * kHeadSize + lane;
      const Scalar* const value = key + p.block_size * kHeadSize;
      float k[kDims];
      float v[kDims];
      for (int i = 0; i < kDims; ++i) k[i] = to_float(key[i * kWarpSize]);
      for (int i = 0; i < kDims; ++i) v[i] = to_float(value[i * kWarpSize]);
      add_token(state, p.scale * group_sum<kWarpSize>(dot(q, k)), v);
    }
    __syncthreads();  // all warps have read the tile: the next one may be written
  }
  return state;
}

}  // namespace kv

#pragma once
// Rung 6: sixteen tokens of a KV head are a matrix, and so are the query heads that share it.

#include "06-cuda-kernel/given/tensor_shapes.cuh"
#include "block_reduce.cuh"
#include "kv/todo.h"
#include "online_softmax.cuh"
#include "paged_rows.cuh"

namespace kv {

// Called by all lanes of a warp. Starts to copy the rows of kTile tokens of one KV head, from
// first_token on, 16 bytes at a time; rows of tokens from end_token on become 0. Closes the batch.
// kNeighbors tokens are in the same block of the cache, and the table is read once for them.
template <class Scalar, int kHeadSize>
__device__ void start_tile(Scalar* tile,
                           const Scalar* cache,
                           const PagedAttentionParams<Scalar>& p,
                           int kv_head,
                           int first_token,
                           int end_token) {
  KV_TODO("6.18 start_tile");
}

// The tiles of warp w: those of the tokens w * kTile, (w + kNumWarps) * kTile, ... of a partition,
// first their keys and then their values. While a tile is used, the next one is on its way.
template <class Scalar, int kHeadSize>
struct TileStream {
  Scalar (&stages)[kNumStages][kTile * TensorShared<Scalar, kHeadSize>::kRow];
  const PagedAttentionParams<Scalar>& p;
  int first_token, end_token, num_tiles;  // num_tiles: of keys, and as many of values
  int num_started = 0;

  __device__ void start_next() {
    const bool is_value = num_started >= num_tiles;
    const int tile = is_value ? num_started - num_tiles : num_started;
    if (tile < num_tiles) {
      start_tile<Scalar, kHeadSize>(stages[num_started % kNumStages],
                                    is_value ? p.value_cache : p.key_cache, p, blockIdx.x,
                                    first_token + tile * kNumWarps * kTile, end_token);
    } else {
      __pipeline_commit();
    }
    ++num_started;
  }

  __device__ const Scalar* next();
};

// Called by all lanes of the warp, after one start_next(). Starts the tile after the next one and
// returns the next one, kRow numbers a row. Barriers of the warp: one before the tile that all
// lanes have used is overwritten, one after the lane's own copies have arrived.
template <class Scalar, int kHeadSize>
__device__ const Scalar* TileStream<Scalar, kHeadSize>::next() {
  KV_TODO("6.19 next");
}

// Called by all lanes of a warp: the products of query heads and keys, scores[head, token].
template <class Scalar, int kHeadSize>
__device__ void score_tiles(float* scores,
                            const Scalar* query,
                            TileStream<Scalar, kHeadSize>& stream) {
  KV_TODO("6.20 score_tiles");
}

// Called by all lanes of a warp, with one row of scores: that of one query head. Replaces the
// scores of num_tokens tokens by their weights, exp(scale * (score - the largest)), and those of
// other tokens, up to the end of the row's last tile, by 0. The weights are Scalars, from the
// beginning of the row on. Returns the state of the query head; its out is not here.
template <class Scalar>
__device__ AttentionState<1> weigh_scores(float* scores, int num_tokens, float scale) {
  KV_TODO("6.21 weigh_scores");
}

// Called by all lanes of a warp: the sums of weight times value of its tiles, out[head, dimension].
template <class Scalar, int kHeadSize>
__device__ void sum_values(float* out,
                           const Scalar* weights,
                           TileStream<Scalar, kHeadSize>& stream) {
  KV_TODO("6.22 sum_values");
}

}  // namespace kv

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
  constexpr int kNeighbors = 8;
  constexpr int kVecs = kHeadSize / kVec<Scalar>;
  const std::size_t to_next_token = static_cast<std::size_t>(p.num_kv_heads) * kHeadSize;
  const int lane = threadIdx.x % kWarpSize;
  for (int first = 0; first < kTile; first += kNeighbors) {
    const bool has_tokens = first_token + first < end_token;
    const std::size_t row =
        has_tokens ? row_of_token(p, blockIdx.y, first_token + first, kv_head) : 0;
    for (int i = lane; i < kNeighbors * kVecs; i += kWarpSize) {
      const int t = i / kVecs;
      const int dim = i % kVecs * kVec<Scalar>;
      Scalar* const to = tile + (first + t) * TensorShared<Scalar, kHeadSize>::kRow + dim;
      if (first_token + first + t < end_token) {
        __pipeline_memcpy_async(to, cache + row + t * to_next_token + dim, 16);
      } else {
        *reinterpret_cast<uint4*>(to) = uint4();
      }
    }
  }
  __pipeline_commit();
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
  __syncwarp();
  start_next();
  __pipeline_wait_prior(kNumStages - 1);
  __syncwarp();
  return stages[num_started % kNumStages];
}

// Called by all lanes of a warp: the products of query heads and keys, scores[head, token].
template <class Scalar, int kHeadSize>
__device__ void score_tiles(float* scores,
                            const Scalar* query,
                            TileStream<Scalar, kHeadSize>& stream) {
  using Shared = TensorShared<Scalar, kHeadSize>;
  constexpr int kSteps = kHeadSize / kTile;
  LeftMatrix<Scalar, wmma::row_major> queries[kSteps];
  for (int i = 0; i < kSteps; ++i)
    wmma::load_matrix_sync(queries[i], query + i * kTile, Shared::kRow);
  for (int tile = 0; tile < stream.num_tiles; ++tile) {
    const Scalar* const keys = stream.next();
    Sums sums;
    wmma::fill_fragment(sums, 0.0f);
    for (int i = 0; i < kSteps; ++i) {
      RightMatrix<Scalar, wmma::col_major> key;  // a row of the tile is a column
      wmma::load_matrix_sync(key, keys + i * kTile, Shared::kRow);
      wmma::mma_sync(sums, queries[i], key, sums);
    }
    float* const to = scores + (threadIdx.x / kWarpSize + tile * kNumWarps) * kTile;
    wmma::store_matrix_sync(to, sums, Shared::kScoreRow, wmma::mem_row_major);
  }
}

// Called by all lanes of a warp, with one row of scores: that of one query head. Replaces the
// scores of num_tokens tokens by their weights, exp(scale * (score - the largest)), and those of
// other tokens, up to the end of the row's last tile, by 0. The weights are Scalars, from the
// beginning of the row on. Returns the state of the query head; its out is not here.
template <class Scalar>
__device__ AttentionState<1> weigh_scores(float* scores, int num_tokens, float scale) {
  constexpr int kLaneTokens = kMaxTensorPartition / kWarpSize;
  Scalar* const weights = reinterpret_cast<Scalar*>(scores);
  const int lane = threadIdx.x % kWarpSize;
  float own[kLaneTokens];
  AttentionState<1> state;
  for (int i = 0; i < kLaneTokens; ++i) {
    const int token = lane + i * kWarpSize;
    own[i] = token < num_tokens ? scale * scores[token] : -INFINITY;
    state.max_logit = fmaxf(state.max_logit, own[i]);
  }
  state.max_logit = group_reduce<kWarpSize>(state.max_logit, Max());
  __syncwarp();  // all lanes have read their scores: weights may be written over them
  float sum = 0;
  for (int i = 0; i < kLaneTokens; ++i) {
    const Scalar weight = from_float<Scalar>(expf(own[i] - state.max_logit));
    weights[lane + i * kWarpSize] = weight;
    sum += to_float(weight);
  }
  state.exp_sum = group_reduce<kWarpSize>(sum, Sum());
  return state;
}

// Called by all lanes of a warp: the sums of weight times value of its tiles, out[head, dimension].
template <class Scalar, int kHeadSize>
__device__ void sum_values(float* out,
                           const Scalar* weights,
                           TileStream<Scalar, kHeadSize>& stream) {
  using Shared = TensorShared<Scalar, kHeadSize>;
  constexpr int kSteps = kHeadSize / kTile;
  Sums sums[kSteps];
  for (Sums& each : sums) wmma::fill_fragment(each, 0.0f);
  for (int tile = 0; tile < stream.num_tiles; ++tile) {
    const Scalar* const values = stream.next();
    LeftMatrix<Scalar, wmma::row_major> weight;
    wmma::load_matrix_sync(weight, weights + (threadIdx.x / kWarpSize + tile * kNumWarps) * kTile,
                           Shared::kWeightRow);
    for (int i = 0; i < kSteps; ++i) {
      RightMatrix<Scalar, wmma::row_major> value;
      wmma::load_matrix_sync(value, values + i * kTile, Shared::kRow);
      wmma::mma_sync(sums[i], weight, value, sums[i]);
    }
  }
  __syncwarp();  // all lanes have used the last tile: out may be written over it
  for (int i = 0; i < kSteps; ++i)
    wmma::store_matrix_sync(out + i * kTile, sums[i], kHeadSize, wmma::mem_row_major);
}

}  // namespace kv

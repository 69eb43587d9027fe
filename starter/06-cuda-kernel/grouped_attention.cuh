#pragma once
// Rung 4: a key and a value that are in registers serve all query heads of their KV head.

#include "06-cuda-kernel/given/group_launch.cuh"
#include "block_reduce.cuh"
#include "kv/todo.h"
#include "online_softmax.cuh"
#include "paged_rows.cuh"

namespace kv {

// The first half of 6.9, for several tokens at once: one new maximum, and one rescale of the state,
// for all of them. Replaces each score by its weight, exp(score - max_logit), and adds it to
// exp_sum; the caller adds weight times value to out. A token with the score -INFINITY is none, and
// has the weight 0. No shared memory, no barrier.
template <int kDims, int kTokens>
__device__ void add_scores(AttentionState<kDims>& state, float (&scores)[kTokens]) {
  KV_TODO("6.12 add_scores");
}

// Called by all threads of a block, for its query heads of sequence blockIdx.y. Adds the tokens
// from first_token to end_token - 1 to their states: a thread adds the tokens that its group of
// lanes owns, in the dimensions of its lane.
//
// A group of lanes owns kTokensAtOnce neighboring tokens of each round, from a multiple of
// kTokensAtOnce on: they are in the same block of the cache, so the table is read once for them.
// All loads of a round are made before the first number is used.
//
//   head_size 128, 16 bits: 8 groups of 16 lanes
//   group             0         1         2     ...     7     |     0
//   tokens of a round 0 1 2 3   4 5 6 7   8 ...         ... 31 |   32 ...
//
// Barriers: none. All lanes of a warp make the same number of rounds, for the shuffles.
template <class Scalar, int kHeadSize, int kHeads>
__device__ void attend_tokens(AttentionState<kVec<Scalar>> (&states)[kHeads],
                              const PagedAttentionParams<Scalar>& p,
                              int first_token,
                              int end_token) {
  KV_TODO("6.13 attend_tokens");
}

}  // namespace kv

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
  constexpr float kLog2E = 1.4426950408889634f;  // exp(x) is exp2(kLog2E * x), one instruction
  float max_logit = state.max_logit;
  for (const float score : scores) max_logit = fmaxf(max_logit, score);
  const float origin = max_logit == -INFINITY ? 0 : max_logit;  // without tokens, any finite number

  const float rescale = exp2f(kLog2E * (state.max_logit - origin));
  state.max_logit = max_logit;
  state.exp_sum *= rescale;
  for (float& out : state.out) out *= rescale;

  for (float& score : scores) {
    score = exp2f(kLog2E * (score - origin));
    state.exp_sum += score;
  }
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
  constexpr int kDims = kVec<Scalar>;
  constexpr int kLanes = kHeadSize / kDims;
  constexpr int kRound = kNumThreads / kLanes * kTokensAtOnce;
  const HeadsOfBlock<kHeads> heads(p);
  const int first_dim = threadIdx.x % kLanes * kDims;
  const std::size_t to_next_token = static_cast<std::size_t>(p.num_kv_heads) * kHeadSize;
  float query[kHeads][kDims];
  for (int h = 0; h < kHeads; ++h) {
    load_vec(query[h], p.query + heads.row(p, h) * kHeadSize + first_dim);
    for (float& number : query[h]) number *= p.scale;
  }

  const int begin = first_token - first_token % kTokensAtOnce;
  for (int round = begin; round < end_token; round += kRound) {
    const int own = round + threadIdx.x / kLanes * kTokensAtOnce;
    const auto is_token = [&](int t) { return own + t >= first_token && own + t < end_token; };
    uint4 keys[kTokensAtOnce] = {};
    uint4 values[kTokensAtOnce] = {};
    if (own < end_token) {
      const std::size_t row = row_of_token(p, blockIdx.y, own, heads.kv_head) + first_dim;
      for (int t = 0; t < kTokensAtOnce; ++t) {
        if (!is_token(t)) continue;
        keys[t] = load_packed(p.key_cache + row + t * to_next_token);
        values[t] = load_packed(p.value_cache + row + t * to_next_token);
      }
    }

    float weights[kHeads][kTokensAtOnce];
    for (int t = 0; t < kTokensAtOnce; ++t) {
      float key[kDims];
      widen<Scalar>(key, keys[t]);
      for (int h = 0; h < kHeads; ++h) {
        const float score = group_reduce<kLanes>(dot(query[h], key), Sum());
        weights[h][t] = is_token(t) ? score : -INFINITY;
      }
    }
    for (int h = 0; h < kHeads; ++h) add_scores(states[h], weights[h]);

    for (int t = 0; t < kTokensAtOnce; ++t) {
      float value[kDims];
      widen<Scalar>(value, values[t]);
      for (int h = 0; h < kHeads; ++h) {
        for (int i = 0; i < kDims; ++i) states[h].out[i] += weights[h][t] * value[i];
      }
    }
  }
}

}  // namespace kv

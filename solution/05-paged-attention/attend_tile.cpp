#include <algorithm>
#include <cmath>
#include <limits>

#include "05-paged-attention/given/tile_rows.h"
#include "05-paged-attention/tiled_attention.h"
#include "kv/todo.h"

namespace kv {
namespace {

// Raises the maximum of a state to `max`, if that is larger, and rescales its sum and out.
void raise_max(AttentionState<float>& state, float max) {
  if (max <= state.max) return;

  const float keep = std::exp(state.max - max);
  state.max = max;
  state.sum *= keep;
  for (float& number : state.out) number *= keep;
}

}  // namespace

template <class Stored>
void attend_tile(const Stored* tile,
                 const Stored* next_tile,
                 const float* query,
                 std::size_t num_tokens,
                 std::span<AttentionState<float>, kHeadsAtOnce> states) {
  if (num_tokens == 0) return;  // exp(-inf - -inf) is NaN

  const std::size_t head_dim = states[0].out.size();
  const Stored* value_rows = tile + head_dim * kTileTokens;
  const std::ptrdiff_t to_next = next_tile - tile;

  // They are scores first, then the weights.
  LanesPerHead weights = {Lanes::Zero(), Lanes::Zero(), Lanes::Zero(), Lanes::Zero()};
  add_products(tile, to_next, head_dim, query, head_dim,
               {weights[0].data(), weights[1].data(), weights[2].data(), weights[3].data()});

  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    Lanes& scores = weights[head];
    std::fill(scores.begin() + static_cast<Eigen::Index>(num_tokens), scores.end(),
              -std::numeric_limits<float>::infinity());

    raise_max(states[head], scores.maxCoeff());
    scores = (scores - states[head].max).exp();
    states[head].sum += scores.sum();
  }

  for (std::size_t d = 0; d < head_dim; d += kTileTokens) {
    add_products(value_rows + d * kTileTokens, to_next, num_tokens, weights[0].data(), kTileTokens,
                 {&states[0].out[d], &states[1].out[d], &states[2].out[d], &states[3].out[d]});
  }
}

// A template in a .cpp file is compiled only for the types that are listed here. Why decltype: it
// is the signature, which would have to be written again.
template decltype(attend_tile<float>) attend_tile<float>;
template decltype(attend_tile<BFloat16>) attend_tile<BFloat16>;

}  // namespace kv

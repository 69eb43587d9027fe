#include <algorithm>
#include <cmath>
#include <limits>

#include "05-paged-attention/tile_rows.h"
#include "05-paged-attention/tiled_attention.h"
#include "kv/todo.h"

namespace kv {
namespace {

// Makes `max` the maximum of a state, if it is larger.
void raise(AttentionState<float>& state, float max) {
  if (max <= state.max) return;
  const float keep = std::exp(state.max - max);
  state.max = max;
  state.sum *= keep;
  for (float& number : state.out) number *= keep;
}

}  // namespace

template <class Stored>
void attend_tile(const Stored* tile,
                 const float* query,
                 std::size_t num_tokens,
                 std::span<AttentionState<float>, kBundle> states) {
  const std::size_t head_dim = states[0].out.size();
  const Stored* value_rows = tile + head_dim * kTileTokens;
  BundleLanes weights = {Lanes::Zero(), Lanes::Zero(), Lanes::Zero(), Lanes::Zero()};
  add_products(tile, head_dim, query, head_dim, weights);
  for (std::size_t head = 0; head < kBundle; ++head) {
    Lanes& scores = weights[head];
    std::fill(scores.begin() + static_cast<Eigen::Index>(num_tokens), scores.end(),
              -std::numeric_limits<float>::infinity());
    raise(states[head], scores.maxCoeff());
    scores = (scores - states[head].max).exp();
    states[head].sum += scores.sum();
  }
  for (std::size_t d = 0; d < head_dim; d += kTileTokens) {
    BundleLanes sums;
    for (std::size_t head = 0; head < kBundle; ++head) sums[head] = load_row(&states[head].out[d]);
    add_products(value_rows + d * kTileTokens, num_tokens, weights[0].data(), kTileTokens, sums);
    for (std::size_t head = 0; head < kBundle; ++head) {
      std::ranges::copy(sums[head], &states[head].out[d]);
    }
  }
}

template decltype(attend_tile<float>) attend_tile<float>;
template decltype(attend_tile<BFloat16>) attend_tile<BFloat16>;

}  // namespace kv

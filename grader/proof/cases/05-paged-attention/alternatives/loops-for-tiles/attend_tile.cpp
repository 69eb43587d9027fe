// Without Eigen: plain loops, one head after the other.

#include <algorithm>
#include <array>
#include <cmath>

#include "05-paged-attention/tiled_attention.h"

namespace kv {

template <class Stored>
static void attend_one_head(const Stored* tile,
                            const float* query,
                            std::size_t num_tokens,
                            AttentionState<float>& state) {
  if (num_tokens == 0) return;
  const std::size_t head_dim = state.out.size();
  std::array<float, kTileTokens> scores = {};
  for (std::size_t d = 0; d < head_dim; ++d) {
    for (std::size_t t = 0; t < num_tokens; ++t) {
      scores[t] += query[d] * widen(tile[place_in_tile<Stored>(d, t)]);
    }
  }
  const auto end = scores.begin() + static_cast<std::ptrdiff_t>(num_tokens);
  const float max = std::max(state.max, *std::max_element(scores.begin(), end));
  const float keep = std::exp(state.max - max);
  state.max = max;
  state.sum *= keep;
  for (float& number : state.out) number *= keep;
  for (std::size_t t = 0; t < num_tokens; ++t) {
    const float weight = std::exp(scores[t] - max);
    state.sum += weight;
    for (std::size_t d = 0; d < head_dim; ++d) {
      const std::size_t row = head_dim + d / kTileTokens * kTileTokens + t;
      state.out[d] += weight * widen(tile[place_in_tile<Stored>(row, d % kTileTokens)]);
    }
  }
}

template <class Stored>
void attend_tile(const Stored* tile,
                 const Stored*,
                 const float* query,
                 std::size_t num_tokens,
                 std::span<AttentionState<float>, kHeadsAtOnce> states) {
  for (std::size_t head = 0; head < kHeadsAtOnce; ++head) {
    attend_one_head(tile, query + head * states[head].out.size(), num_tokens, states[head]);
  }
}

template decltype(attend_tile<float>) attend_tile<float>;
template decltype(attend_tile<BFloat16>) attend_tile<BFloat16>;

}  // namespace kv

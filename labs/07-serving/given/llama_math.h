#pragma once
// What a Llama computes besides its matrices: for one token after the other, each sum in the order
// of its terms.

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace kv {

// Each token's numbers, divided by the root of the mean of their squares, times weight.
inline std::vector<float> rms_norm(std::span<const float> hidden,  // [num_tokens, hidden_size]
                                   std::span<const float> weight,  // [hidden_size]
                                   double eps) {
  std::vector<float> normed(hidden.size());
  for (std::size_t begin = 0; begin < hidden.size(); begin += weight.size()) {
    float sum = 0;
    for (std::size_t i = 0; i < weight.size(); ++i) sum += hidden[begin + i] * hidden[begin + i];
    const float mean = sum / static_cast<float>(weight.size());
    const float scale = 1.0f / std::sqrt(mean + static_cast<float>(eps));
    for (std::size_t i = 0; i < weight.size(); ++i)
      normed[begin + i] = hidden[begin + i] * scale * weight[i];
  }
  return normed;
}

// The rotary position embedding: turns the pair (x[i], x[i + head_dim / 2]) of each head by the
// angle position * theta^(-2 i / head_dim).
inline void rotate_positions(std::span<float> x,  // [num_tokens, num_heads, head_dim]
                             std::span<const std::size_t> positions,  // [num_tokens]
                             std::size_t head_dim,
                             double theta) {
  const std::size_t half = head_dim / 2;
  const std::size_t token_size = x.size() / std::max<std::size_t>(positions.size(), 1);
  for (std::size_t i = 0; i < half; ++i) {
    const double turn =
        std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(head_dim));
    for (std::size_t t = 0; t < positions.size(); ++t) {
      const double angle = static_cast<double>(positions[t]) * turn;
      const auto cos = static_cast<float>(std::cos(angle));
      const auto sin = static_cast<float>(std::sin(angle));
      for (std::size_t head = 0; head < token_size; head += head_dim) {
        float& a = x[t * token_size + head + i];
        float& b = x[t * token_size + head + i + half];
        const float turned = a * cos - b * sin;
        b = b * cos + a * sin;
        a = turned;
      }
    }
  }
}

// gate = silu(gate) * up
inline void silu_and_mul(std::span<float> gate, std::span<const float> up) {
  for (std::size_t i = 0; i < gate.size(); ++i)
    gate[i] = gate[i] / (1.0f + std::exp(-gate[i])) * up[i];
}

inline void add(std::span<float> sum, std::span<const float> more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace kv

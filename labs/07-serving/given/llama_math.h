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

// gate = silu(gate) * up
inline void silu_and_mul(std::span<float> gate, std::span<const float> up) {
  for (std::size_t i = 0; i < gate.size(); ++i)
    gate[i] = gate[i] / (1.0f + std::exp(-gate[i])) * up[i];
}

inline void add(std::span<float> sum, std::span<const float> more) {
  for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += more[i];
}

}  // namespace kv

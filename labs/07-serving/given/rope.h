#pragma once
// The rotary position embedding: how far each pair of numbers is turned from one position to the
// next, and the turning.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>
#include <span>
#include <vector>

namespace kv {

// For texts that are longer than those of the training: slower turns. The names are those of
// transformers.
struct RopeScaling {
  // Only slow turns are divided; those between two wavelengths, in part.
  struct Llama3 {
    double low_freq_factor, high_freq_factor, original_max_position_embeddings;
  };

  double factor = 1;  // each turn is divided by it
  std::optional<Llama3> llama3 = {};
};

inline double scaled_turn(double turn, const RopeScaling& scaling) {
  const double divided = turn / scaling.factor;
  if (!scaling.llama3) return divided;
  const auto& [low, high, length] = *scaling.llama3;
  const double turns_in_text = length * turn / (2 * std::numbers::pi);
  if (turns_in_text < low) return divided;
  if (turns_in_text > high) return turn;
  const double kept = (turns_in_text - low) / (high - low);
  return (1 - kept) * divided + kept * turn;
}

// transformers: inv_freq. theta^(-2 i / head_dim) for i below head_dim / 2, scaled.
inline std::vector<double> rope_turns(std::size_t head_dim,
                                      double theta,
                                      const RopeScaling& scaling) {
  std::vector<double> turns(head_dim / 2);
  for (std::size_t i = 0; i < turns.size(); ++i)
    turns[i] = scaled_turn(
        std::pow(theta, -2.0 * static_cast<double>(i) / static_cast<double>(head_dim)), scaling);
  return turns;
}

// Turns the pair (x[i], x[i + head_dim / 2]) of each head by the angle position * turns[i].
inline void rotate_positions(std::span<float> x,  // [num_tokens, num_heads, head_dim]
                             std::span<const std::size_t> positions,  // [num_tokens]
                             std::span<const double> turns) {         // [head_dim / 2]
  const std::size_t half = turns.size();
  const std::size_t token_size = x.size() / std::max<std::size_t>(positions.size(), 1);
  for (std::size_t i = 0; i < half; ++i) {
    for (std::size_t t = 0; t < positions.size(); ++t) {
      const double angle = static_cast<double>(positions[t]) * turns[i];
      const auto cos = static_cast<float>(std::cos(angle));
      const auto sin = static_cast<float>(std::sin(angle));
      for (std::size_t head = 0; head < token_size; head += 2 * half) {
        float& a = x[t * token_size + head + i];
        float& b = x[t * token_size + head + i + half];
        const float turned = a * cos - b * sin;
        b = b * cos + a * sin;
        a = turned;
      }
    }
  }
}

}  // namespace kv

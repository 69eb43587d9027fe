#include "07-serving/given/matrix.h"

#include <algorithm>
#include <cstring>

namespace kv {
namespace {

// The numbers of one register. g++ and clang++ compute them side by side on any processor. Why not
// more: g++ would keep the sums of a single token in memory.
constexpr std::size_t kLanes = __BIGGEST_ALIGNMENT__ / sizeof(float);
using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;

// The loop asks memory for the weights of this many inputs later: they arrive when the sums in
// between are done. Past the end of the matrix, asking has no effect.
constexpr std::size_t kAhead = 64;

Lanes load(const float* numbers) {
  Lanes lanes;
  std::memcpy(&lanes, numbers, sizeof lanes);
  return lanes;
}

}  // namespace

Matrix::Matrix(std::size_t num_outputs, std::size_t num_inputs, std::span<const float> weights)
    : num_outputs_(num_outputs),
      num_inputs_(num_inputs),
      strips_((num_outputs + kStrip - 1) / kStrip * kStrip * num_inputs) {
  for (std::size_t o = 0; o < num_outputs; ++o) {
    for (std::size_t i = 0; i < num_inputs; ++i)
      strips_[index_of(o, i)] = weights[o * num_inputs + i];
  }
}

template <std::size_t kTokens>
void Matrix::multiply_tokens(std::size_t first_output, float* out, const float* x) const {
  constexpr std::size_t kRegisters = kStrip / kLanes;
  const float* weights = &strips_[index_of(first_output, 0)];
  Lanes sums[kTokens][kRegisters] = {};
  for (std::size_t i = 0; i < num_inputs_; ++i, weights += kStrip) {
    __builtin_prefetch(weights + kAhead * kStrip);
#pragma GCC unroll 8
    for (std::size_t t = 0; t < kTokens; ++t) {
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRegisters; ++r)
        sums[t][r] += x[t * num_inputs_ + i] * load(weights + r * kLanes);
    }
  }

  const std::size_t num_used = std::min(kStrip, num_outputs_ - first_output);
  for (std::size_t t = 0; t < kTokens; ++t) {
    for (std::size_t o = 0; o < num_used; ++o)
      out[t * num_outputs_ + first_output + o] = sums[t][o / kLanes][o % kLanes];
  }
}

template <std::size_t kTokens>
void Matrix::multiply_strip(std::size_t first_output,
                            std::span<float> out,
                            std::span<const float> x) const {
  while (x.size() >= kTokens * num_inputs_) {
    multiply_tokens<kTokens>(first_output, out.data(), x.data());
    out = out.subspan(kTokens * num_outputs_);
    x = x.subspan(kTokens * num_inputs_);
  }
  if constexpr (kTokens > 1) multiply_strip<kTokens / 2>(first_output, out, x);
}

void Matrix::multiply(std::span<float> out, std::span<const float> x) const {
  // Their sums fill eight registers: fewer would wait for each other, and more would not stay
  // there.
  constexpr std::size_t kTokensAtOnce = kLanes / 2;
  for (std::size_t output = 0; output < num_outputs_; output += kStrip)
    multiply_strip<kTokensAtOnce>(output, out, x);
}

}  // namespace kv

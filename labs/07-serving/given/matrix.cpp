#include "07-serving/given/matrix.h"

#include <algorithm>
#include <cstring>

namespace kv {
namespace {

// The numbers of one register. g++ and clang++ compute them side by side on any processor. Why not
// more: g++ would keep the sums of a single token in memory.
constexpr std::size_t kLanes = __BIGGEST_ALIGNMENT__ / sizeof(float);
using Lanes [[gnu::vector_size(kLanes * sizeof(float))]] = float;

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
void Matrix::multiply_strip(std::size_t first_output,
                            std::span<float> out,
                            std::span<const float> x) const {
  constexpr std::size_t kRegisters = kStrip / kLanes;
  const float* row = x.data();
  const float* weights = &strips_[index_of(first_output, 0)];
  Lanes sums[kTokens][kRegisters] = {};
  for (std::size_t i = 0; i < num_inputs_; ++i, weights += kStrip) {
#pragma GCC unroll 4
    for (std::size_t t = 0; t < kTokens; ++t) {
#pragma GCC unroll 4
      for (std::size_t r = 0; r < kRegisters; ++r)
        sums[t][r] += row[t * num_inputs_ + i] * load(weights + r * kLanes);
    }
  }

  const std::size_t num_used = std::min(kStrip, num_outputs_ - first_output);
  for (std::size_t t = 0; t < kTokens; ++t) {
    for (std::size_t o = 0; o < num_used; ++o)
      out[t * num_outputs_ + first_output + o] = sums[t][o / kLanes][o % kLanes];
  }
}

void Matrix::multiply(std::span<float> out, std::span<const float> x) const {
  constexpr std::size_t kTokensAtOnce = 4;
  for (std::size_t output = 0; output < num_outputs_; output += kStrip) {
    auto rows_in = x;
    auto rows_out = out;
    for (; rows_in.size() >= kTokensAtOnce * num_inputs_;
         rows_in = rows_in.subspan(kTokensAtOnce * num_inputs_),
         rows_out = rows_out.subspan(kTokensAtOnce * num_outputs_))
      multiply_strip<kTokensAtOnce>(output, rows_out, rows_in);
    for (; !rows_in.empty();
         rows_in = rows_in.subspan(num_inputs_), rows_out = rows_out.subspan(num_outputs_))
      multiply_strip<1>(output, rows_out, rows_in);
  }
}

}  // namespace kv

#include "07-serving/given/matrix.h"

#include <algorithm>

namespace kv {

Matrix::Matrix(std::size_t num_outputs, std::size_t num_inputs, std::span<const float> weights)
    : num_outputs_(num_outputs),
      num_inputs_(num_inputs),
      strips_((num_outputs + kStrip - 1) / kStrip * num_inputs) {
  for (std::size_t o = 0; o < num_outputs; ++o) {
    for (std::size_t i = 0; i < num_inputs; ++i)
      strips_[o / kStrip * num_inputs + i][o % kStrip] = weights[o * num_inputs + i];
  }
}

template <std::size_t kTokens>
void Matrix::multiply_strip(std::size_t first_output,
                            std::span<float> out,
                            std::span<const float> x) const {
  const Strip* strip = &strips_[first_output / kStrip * num_inputs_];
  const float* row = x.data();
  Strip sums[kTokens] = {};
  for (std::size_t i = 0; i < num_inputs_; ++i) {
#pragma GCC unroll 4
    for (std::size_t t = 0; t < kTokens; ++t) sums[t] += row[t * num_inputs_ + i] * strip[i];
  }

  const std::size_t num_used = std::min(kStrip, num_outputs_ - first_output);
  for (std::size_t t = 0; t < kTokens; ++t) {
    for (std::size_t o = 0; o < num_used; ++o)
      out[t * num_outputs_ + first_output + o] = sums[t][o];
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

#include "07-serving/given/matrix.h"

#include <algorithm>

namespace kv {
namespace {

// The sums of one strip of outputs for kTokens tokens stay in registers: each weight that is loaded
// is used for all of them.
template <std::size_t kTokens>
void multiply_strip(float* out,
                    const float* x,
                    const float* strip,
                    std::size_t num_inputs,
                    std::size_t num_outputs,
                    std::size_t num_used) {
  float sums[kTokens][Matrix::kStrip] = {};
  for (std::size_t i = 0; i < num_inputs; ++i) {
    for (std::size_t t = 0; t < kTokens; ++t) {
      for (std::size_t o = 0; o < Matrix::kStrip; ++o)
        sums[t][o] += x[t * num_inputs + i] * strip[i * Matrix::kStrip + o];
    }
  }
  for (std::size_t t = 0; t < kTokens; ++t) std::copy_n(sums[t], num_used, out + t * num_outputs);
}

}  // namespace

Matrix::Matrix(std::size_t num_outputs, std::size_t num_inputs, std::span<const float> weights)
    : num_outputs_(num_outputs),
      num_inputs_(num_inputs),
      strips_((num_outputs + kStrip - 1) / kStrip * num_inputs * kStrip) {
  for (std::size_t o = 0; o < num_outputs; ++o) {
    for (std::size_t i = 0; i < num_inputs; ++i)
      strips_[(o / kStrip * num_inputs + i) * kStrip + o % kStrip] = weights[o * num_inputs + i];
  }
}

void Matrix::multiply(std::span<float> out, std::span<const float> x) const {
  constexpr std::size_t kTokensAtOnce = 4;
  const std::size_t num_tokens = x.size() / num_inputs_;
  for (std::size_t o = 0; o < num_outputs_; o += kStrip) {
    const float* strip = &strips_[o * num_inputs_];
    const std::size_t num_used = std::min(kStrip, num_outputs_ - o);
    std::size_t t = 0;
    for (; t + kTokensAtOnce <= num_tokens; t += kTokensAtOnce)
      multiply_strip<kTokensAtOnce>(&out[t * num_outputs_ + o], &x[t * num_inputs_], strip,
                                    num_inputs_, num_outputs_, num_used);
    for (; t < num_tokens; ++t)
      multiply_strip<1>(&out[t * num_outputs_ + o], &x[t * num_inputs_], strip, num_inputs_,
                        num_outputs_, num_used);
  }
}

}  // namespace kv

#pragma once
// A matrix of a model's weights, and its product with one row of numbers for each token.

#include <cstddef>
#include <span>
#include <vector>

namespace kv {

class Matrix {
 public:
  // weights[o][i] is what input i adds to output o, as in a file of Hugging Face.
  Matrix(std::size_t num_outputs,
         std::size_t num_inputs,
         std::span<const float> weights);  // [num_outputs, num_inputs]

  std::size_t num_outputs() const { return num_outputs_; }
  std::size_t num_inputs() const { return num_inputs_; }

  // The number in row `output` and column `input`.
  float at(std::size_t output, std::size_t input) const { return strips_[index_of(output, input)]; }

  // out[t][o] = sum of x[t][i] * weights[o][i], with i ascending. Each product is rounded, and then
  // each sum. So the bits of a token's outputs do not depend on the other tokens of the call.
  void multiply(std::span<float> out,             // [num_tokens, num_outputs]
                std::span<const float> x) const;  // [num_tokens, num_inputs]

 private:
  static constexpr std::size_t kStrip = 16;  // neighboring outputs, computed side by side

  std::size_t index_of(std::size_t output, std::size_t input) const {
    return (output / kStrip * num_inputs_ + input) * kStrip + output % kStrip;
  }

  // One strip of the outputs of all tokens: kTokens of them at a time, as long as there are so
  // many, and then half as many.
  template <std::size_t kTokens>
  void multiply_strip(std::size_t first_output,
                      std::span<float> out,
                      std::span<const float> x) const;
  // The sums of one strip for kTokens tokens stay in registers, so that each weight which is loaded
  // is used for all of them.
  template <std::size_t kTokens>
  void multiply_tokens(std::size_t first_output, float* out, const float* x) const;

  std::size_t num_outputs_;
  std::size_t num_inputs_;
  std::vector<float> strips_;  // [ceil(num_outputs / kStrip), num_inputs, kStrip], filled up with 0
};

}  // namespace kv

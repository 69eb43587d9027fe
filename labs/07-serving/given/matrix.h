#pragma once
// A matrix of a model's weights, and its product with one row of numbers for each token.

#include <cstddef>
#include <span>
#include <vector>

namespace kv {

// The outputs are in strips of kStrip, so that a product reads its weights from the first to the
// last. The last strip is filled up with zeros.
class Matrix {
 public:
  static constexpr std::size_t kStrip = 16;

  // weights[o][i] is what input i adds to output o, as a file of Hugging Face has it.
  Matrix(std::size_t num_outputs,
         std::size_t num_inputs,
         std::span<const float> weights);  // [num_outputs, num_inputs]

  std::size_t num_outputs() const { return num_outputs_; }
  std::size_t num_inputs() const { return num_inputs_; }

  // The number of row `output`, column `input`.
  float at(std::size_t output, std::size_t input) const {
    return strips_[(output / kStrip * num_inputs_ + input) * kStrip + output % kStrip];
  }

  // out[t][o] = sum of x[t][i] * weights[o][i], with i ascending. Each product is rounded, and then
  // each sum. So the bits of a token's outputs do not depend on the other tokens of the call.
  void multiply(std::span<float> out,             // [num_tokens, num_outputs]
                std::span<const float> x) const;  // [num_tokens, num_inputs]

 private:
  std::size_t num_outputs_;
  std::size_t num_inputs_;
  std::vector<float> strips_;  // [ceil(num_outputs / kStrip), num_inputs, kStrip]
};

}  // namespace kv

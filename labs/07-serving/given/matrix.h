#pragma once
// A matrix of a model's weights, and its product with one row of numbers for each token.

#include <cstddef>
#include <span>

#include "07-serving/given/tensor.h"
#include "07-serving/given/workers.h"

namespace kv {

class Matrix {
 public:
  // Weight [o, i] is what input i adds to output o, as in a file of Hugging Face.
  explicit Matrix(Tensor weights) : weights_(std::move(weights)) {}  // [num_outputs, num_inputs]

  std::size_t num_outputs() const { return weights_.shape[0]; }
  std::size_t num_inputs() const { return weights_.shape[1]; }

  // The weights of one output.
  void copy_row(std::span<float> out, std::size_t output) const {  // [num_inputs]
    widen(out, weights_, output * num_inputs());
  }

  // out[t][o] = the sum of all x[t][i] * weights[o][i], in one order: the product with number i is
  // added to sum i % 16, from the first one on; then sum j + 8 is added to sum j for j below 8, and
  // so on with 4, 2 and 1. Each product is rounded, and each sum. So the bits of a token's outputs
  // depend neither on the other tokens of the call, nor on the threads, nor on the processor.
  void multiply(std::span<float> out,      // [num_tokens, num_outputs]
                std::span<const float> x,  // [num_tokens, num_inputs]
                Workers& workers) const;

 private:
  Tensor weights_;
};

}  // namespace kv

#pragma once
// A small Llama with random weights, for the lab and for the oracle.

#include <map>
#include <string>
#include <vector>

#include "07-serving/given/llama_tensors.h"
#include "grader/harness/random.h"
#include "reference/llama_oracle.h"

namespace kv::grader {

inline LlamaConfig tiny_config() {
  return {.vocab_size = 50,
          .hidden_size = 24,
          .intermediate_size = 40,
          .num_hidden_layers = 2,
          .num_attention_heads = 4,
          .num_key_value_heads = 2,
          .head_dim = 6,
          .max_position_embeddings = 128,
          .rms_norm_eps = 1e-5,
          .rope_theta = 10000,
          .tie_word_embeddings = false,
          .eos_token_id = {}};
}

class TinyLlama {
 public:
  explicit TinyLlama(std::uint64_t seed, const LlamaConfig& config = tiny_config())
      : config_(config), random_(seed), model_(config_, random_tensors()) {}

  const LlamaModel& model() const { return model_; }
  oracle::LlamaOracle as_oracle() const {
    return {{config_.vocab_size, config_.hidden_size, config_.intermediate_size,
             config_.num_hidden_layers, config_.num_attention_heads, config_.num_key_value_heads,
             config_.head_dim, config_.rms_norm_eps, config_.rope_theta},
            weights_};
  }

 private:
  // In [-1, 1).
  float number() {
    constexpr std::size_t kHalf = std::size_t{1} << 20;
    return static_cast<float>(random_.below(2 * kHalf)) / static_cast<float>(kHalf) - 1;
  }
  void add(const std::string& name, const std::vector<std::size_t>& shape) {
    std::size_t size = 1;
    for (const std::size_t extent : shape) size *= extent;
    std::vector<float> values(size);
    // Logits that differ by some units, so that several tokens are likely.
    for (float& value : values) value = 0.6f * number() + (shape.size() == 1 ? 1.0f : 0.0f);
    weights_[name] = values;
    tensors_[name + ".weight"] = tensor_of(shape, values);
  }

  std::map<std::string, Tensor> random_tensors() {
    for (const auto& [name, shape] : llama_tensors(config_)) add(name, shape);
    return tensors_;
  }

  LlamaConfig config_;
  Random random_;
  oracle::LlamaOracle::Weights weights_;
  std::map<std::string, Tensor> tensors_;
  LlamaModel model_;  // the last one: it is made of the others
};

}  // namespace kv::grader

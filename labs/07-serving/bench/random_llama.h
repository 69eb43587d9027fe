#pragma once
// Models with random weights: how fast a model is does not depend on what it has learned.

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "07-serving/given/llama_tensors.h"

namespace kv::bench {

// The sizes of the lab's own model: all its weights fit into a processor's cache.
inline LlamaConfig small_config() {
  const auto lab = std::filesystem::path(__FILE__).parent_path().parent_path();
  LlamaConfig config = read_llama_config(lab / "given" / "model" / "config.json");
  config.eos_token_id = std::nullopt;  // so that each answer has the length that was asked for
  return config;
}

// Layers as SmolLM2-135M has them, half as many: 236 MB of weights, which each step has to read
// from memory.
inline LlamaConfig large_config() {
  LlamaConfig config = small_config();
  config.vocab_size = 4096;
  config.hidden_size = 576;
  config.intermediate_size = 1536;
  config.num_hidden_layers = 16;
  config.num_attention_heads = 9;
  config.num_key_value_heads = 3;
  config.head_dim = 64;
  return config;
}

class RandomTensors {
 public:
  std::map<std::string, Tensor> of(const LlamaConfig& config) {
    for (const auto& [name, shape] : llama_tensors(config)) add(name, shape);
    return std::move(tensors_);
  }

 private:
  // Ones for a vector; for a matrix numbers that keep its outputs as large as its inputs.
  void add(const std::string& name, const std::vector<std::size_t>& shape) {
    const bool is_vector = shape.size() == 1;
    std::vector<float> values(is_vector ? shape[0] : shape[0] * shape[1], 1.0f);
    const float scale = is_vector ? 0 : std::sqrt(3.0f / static_cast<float>(shape[1]));
    for (float& value : values) value = is_vector ? 1.0f : scale * number();
    tensors_[name + ".weight"] = tensor_of(shape, std::move(values));
  }

  // In [-1, 1).
  float number() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(static_cast<std::int32_t>(state_ >> 32)) * 0x1p-31f;
  }

  std::uint64_t state_ = 1;
  std::map<std::string, Tensor> tensors_;
};

inline LlamaModel random_llama(const LlamaConfig& config) {
  return {config, RandomTensors().of(config)};
}

}  // namespace kv::bench

#pragma once
// A small Llama with random weights, for the lab and for the oracle.

#include <map>
#include <string>
#include <vector>

#include "07-serving/given/llama.h"
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
    tensors_[name + ".weight"] = {shape, values};
  }

  std::map<std::string, Tensor> random_tensors() {
    const std::size_t hidden = config_.hidden_size;
    const std::size_t inner = config_.intermediate_size;
    const std::size_t queries = config_.num_attention_heads * config_.head_dim;
    const std::size_t keys = config_.num_key_value_heads * config_.head_dim;
    add("model.embed_tokens", {config_.vocab_size, hidden});
    for (std::size_t i = 0; i < config_.num_hidden_layers; ++i) {
      const std::string layer = "model.layers." + std::to_string(i) + ".";
      add(layer + "input_layernorm", {hidden});
      add(layer + "self_attn.q_proj", {queries, hidden});
      add(layer + "self_attn.k_proj", {keys, hidden});
      add(layer + "self_attn.v_proj", {keys, hidden});
      add(layer + "self_attn.o_proj", {hidden, queries});
      add(layer + "post_attention_layernorm", {hidden});
      add(layer + "mlp.gate_proj", {inner, hidden});
      add(layer + "mlp.up_proj", {inner, hidden});
      add(layer + "mlp.down_proj", {hidden, inner});
    }
    add("model.norm", {hidden});
    add("lm_head", {config_.vocab_size, hidden});
    return tensors_;
  }

  LlamaConfig config_;
  Random random_;
  oracle::LlamaOracle::Weights weights_;
  std::map<std::string, Tensor> tensors_;
  LlamaModel model_;  // the last one: it is made of the others
};

}  // namespace kv::grader

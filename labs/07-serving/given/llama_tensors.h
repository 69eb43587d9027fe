#pragma once
// The names and shapes of a model's tensors, for models that are made with random weights.

#include <cstddef>
#include <string>
#include <vector>

#include "07-serving/given/llama.h"

namespace kv {

struct NamedShape {
  std::string name;                // without ".weight"
  std::vector<std::size_t> shape;  // [num_outputs, num_inputs], or [size]
};

// All tensors that LlamaModel takes.
inline std::vector<NamedShape> llama_tensors(const LlamaConfig& config) {
  const std::size_t hidden = config.hidden_size;
  const std::size_t inner = config.intermediate_size;
  const std::size_t query = config.num_attention_heads * config.head_dim;
  const std::size_t kv = config.num_key_value_heads * config.head_dim;
  std::vector<NamedShape> tensors = {{"model.embed_tokens", {config.vocab_size, hidden}}};
  for (std::size_t i = 0; i < config.num_hidden_layers; ++i) {
    const std::string layer = "model.layers." + std::to_string(i) + ".";
    tensors.push_back({layer + "input_layernorm", {hidden}});
    tensors.push_back({layer + "self_attn.q_proj", {query, hidden}});
    tensors.push_back({layer + "self_attn.k_proj", {kv, hidden}});
    tensors.push_back({layer + "self_attn.v_proj", {kv, hidden}});
    tensors.push_back({layer + "self_attn.o_proj", {hidden, query}});
    if (config.qk_norm) {
      tensors.push_back({layer + "self_attn.q_norm", {config.head_dim}});
      tensors.push_back({layer + "self_attn.k_norm", {config.head_dim}});
    }
    tensors.push_back({layer + "post_attention_layernorm", {hidden}});
    tensors.push_back({layer + "mlp.gate_proj", {inner, hidden}});
    tensors.push_back({layer + "mlp.up_proj", {inner, hidden}});
    tensors.push_back({layer + "mlp.down_proj", {hidden, inner}});
  }
  tensors.push_back({"model.norm", {hidden}});
  if (!config.tie_word_embeddings) tensors.push_back({"lm_head", {config.vocab_size, hidden}});
  return tensors;
}

}  // namespace kv

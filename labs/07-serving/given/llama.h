#pragma once
// The model: a Llama or a Qwen 3 as Hugging Face's transformers has it, which computes what it is
// given and keeps nothing. What a token has to know of the tokens before it, it asks of `attend`,
// and that is where the KV cache is.
//
//   hidden = embedding of the token
//   in each layer:   hidden += W_o * attend(rope(W_q * norm(hidden)), rope(W_k * ...), W_v * ...)
//                    hidden += W_down * (silu(W_gate * norm(hidden)) * (W_up * norm(hidden)))
//   logits = W_lm_head * norm(hidden)
//
// A Qwen 3 norms each head of W_q * ... and of W_k * ..., too, before rope turns it.
// The same bits for a token, whichever tokens are computed in the same call.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "07-serving/given/matrix.h"
#include "07-serving/given/rope.h"
#include "07-serving/given/safetensors.h"
#include "kv/types.h"

namespace kv {

// config.json, with its names.
struct LlamaConfig {
  std::size_t vocab_size;
  std::size_t hidden_size;
  std::size_t intermediate_size;
  std::size_t num_hidden_layers;
  std::size_t num_attention_heads;
  std::size_t num_key_value_heads;
  std::size_t head_dim;
  std::size_t max_position_embeddings;
  double rms_norm_eps;
  double rope_theta;
  bool tie_word_embeddings;
  std::optional<TokenId> eos_token_id;
  std::optional<TokenId> bos_token_id = {};  // what a text begins with
  RopeScaling rope_scaling = {};
  bool qk_norm = false;  // no entry: a Qwen 3 norms queries and keys
};

// An entry of a Llama that is missing or null has the value that transformers takes; a Qwen 3 has
// to say each size. Without a size that is needed, and for what this model does not compute, throws
// std::runtime_error, with a sentence that names the entry.
LlamaConfig read_llama_config(const std::filesystem::path& file);

// Attention of one layer for all tokens of a call.
using Attend =
    std::function<void(std::size_t layer,
                       std::span<float> out,            // [num_tokens, num_heads, head_dim]
                       std::span<const float> query,    // [num_tokens, num_heads, head_dim]
                       std::span<const float> key,      // [num_tokens, num_kv_heads, head_dim]
                       std::span<const float> value)>;  // [num_tokens, num_kv_heads, head_dim]

struct LlamaLayer {
  std::vector<float> input_layernorm;
  Matrix q_proj, k_proj, v_proj, o_proj;
  std::vector<float> q_norm, k_norm;  // [head_dim]; of a Llama, none
  std::vector<float> post_attention_layernorm;
  Matrix gate_proj, up_proj, down_proj;
};

// Requires: one call of forward or compute_logits at a time, for they share the threads.
// vLLM: LlamaForCausalLM in vllm/model_executor/models/llama.py, Qwen3ForCausalLM in qwen3.py
class LlamaModel {
 public:
  // num_threads: of the products with large matrices, which are most of the work.
  // Throws std::runtime_error, with a sentence that names it, for a tensor that is missing, left
  // over, or of another shape than the config says.
  LlamaModel(const LlamaConfig& config,
             std::map<std::string, Tensor> tensors,
             std::size_t num_threads = 1);

  const LlamaConfig& config() const { return config_; }

  // The hidden states after the last layer, normed.   [num_tokens, hidden_size]
  std::vector<float> forward(std::span<const TokenId> input_ids,      // [num_tokens]
                             std::span<const std::size_t> positions,  // [num_tokens]
                             const Attend& attend) const;

  // [num_tokens, vocab_size]
  std::vector<float> compute_logits(std::span<const float> hidden_states) const;

 private:
  std::vector<float> product(const Matrix& matrix, std::span<const float> x) const;
  void add_attention(std::span<float> hidden,
                     std::span<const std::size_t> positions,
                     std::size_t layer,
                     const Attend& attend) const;
  void add_mlp(std::span<float> hidden, const LlamaLayer& layer) const;

  LlamaConfig config_;
  std::unique_ptr<Workers> workers_;  // by address, so that a model can be moved
  std::vector<double> rope_turns_;
  std::optional<Matrix> embed_tokens_;
  std::vector<LlamaLayer> layers_;
  std::vector<float> norm_;
  std::optional<Matrix> lm_head_;  // none: embed_tokens_
};

// A model of a folder with config.json and model.safetensors.
LlamaModel load_llama(const std::filesystem::path& folder, std::size_t num_threads = 1);

}  // namespace kv

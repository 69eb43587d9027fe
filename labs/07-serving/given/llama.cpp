#include "07-serving/given/llama.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "07-serving/given/llama_math.h"

namespace kv {
namespace {

// Gives each tensor away once, so that what is left over at the end is seen.
class Weights {
 public:
  explicit Weights(std::map<std::string, Tensor> tensors) : tensors_(std::move(tensors)) {}

  Matrix matrix(const std::string& name, std::size_t num_outputs, std::size_t num_inputs) {
    return Matrix(take(name, {num_outputs, num_inputs}));
  }
  std::vector<float> vector(const std::string& name, std::size_t size) {
    std::vector<float> values(size);
    widen(values, take(name, {size}), 0);
    return values;
  }

  bool has(const std::string& name) const { return tensors_.contains(name + ".weight"); }

  void require_empty() const {
    if (!tensors_.empty())
      throw std::runtime_error("the model has a tensor that its config.json does not call for: " +
                               tensors_.begin()->first);
  }

 private:
  Tensor take(const std::string& name, const std::vector<std::size_t>& shape) {
    auto found = tensors_.extract(name + ".weight");
    if (found.empty()) throw std::runtime_error("the model lacks the tensor " + name + ".weight");
    if (found.mapped().shape != shape)
      throw std::runtime_error(name + ".weight has another shape than config.json says");
    return std::move(found.mapped());
  }

  std::map<std::string, Tensor> tensors_;
};

// name: what the names of its tensors begin with.
LlamaLayer take_layer(Weights& weights, const LlamaConfig& config, const std::string& name) {
  const std::size_t hidden = config.hidden_size;
  const std::size_t query = config.num_attention_heads * config.head_dim;
  const std::size_t kv = config.num_key_value_heads * config.head_dim;
  const std::size_t inner = config.intermediate_size;
  const auto head_norm = [&](const std::string& norm) {
    return config.qk_norm ? weights.vector(name + norm, config.head_dim) : std::vector<float>();
  };

  return {
      .input_layernorm = weights.vector(name + "input_layernorm", hidden),
      .q_proj = weights.matrix(name + "self_attn.q_proj", query, hidden),
      .k_proj = weights.matrix(name + "self_attn.k_proj", kv, hidden),
      .v_proj = weights.matrix(name + "self_attn.v_proj", kv, hidden),
      .o_proj = weights.matrix(name + "self_attn.o_proj", hidden, query),
      .q_norm = head_norm("self_attn.q_norm"),
      .k_norm = head_norm("self_attn.k_norm"),
      .post_attention_layernorm = weights.vector(name + "post_attention_layernorm", hidden),
      .gate_proj = weights.matrix(name + "mlp.gate_proj", inner, hidden),
      .up_proj = weights.matrix(name + "mlp.up_proj", inner, hidden),
      .down_proj = weights.matrix(name + "mlp.down_proj", hidden, inner),
  };
}

}  // namespace

LlamaModel::LlamaModel(const LlamaConfig& config,
                       std::map<std::string, Tensor> tensors,
                       std::size_t num_threads)
    : config_(config),
      workers_(std::make_unique<Workers>(num_threads)),
      rope_turns_(rope_turns(config.head_dim, config.rope_theta, config.rope_scaling)) {
  Weights weights(std::move(tensors));
  embed_tokens_ = weights.matrix("model.embed_tokens", config.vocab_size, config.hidden_size);
  for (std::size_t i = 0; i < config.num_hidden_layers; ++i)
    layers_.push_back(take_layer(weights, config, "model.layers." + std::to_string(i) + "."));
  norm_ = weights.vector("model.norm", config.hidden_size);
  // Some tied models are stored with it, too.
  if (!config.tie_word_embeddings || weights.has("lm_head"))
    lm_head_ = weights.matrix("lm_head", config.vocab_size, config.hidden_size);
  weights.require_empty();
}

std::vector<float> LlamaModel::forward(std::span<const TokenId> input_ids,
                                       std::span<const std::size_t> positions,
                                       const Attend& attend) const {
  const std::size_t hidden_size = config_.hidden_size;
  std::vector<float> hidden(input_ids.size() * hidden_size);
  for (std::size_t t = 0; t < input_ids.size(); ++t)
    embed_tokens_->copy_row(std::span(hidden).subspan(t * hidden_size, hidden_size),
                            static_cast<std::size_t>(input_ids[t]));

  for (std::size_t layer = 0; layer < layers_.size(); ++layer) {
    add_attention(hidden, positions, layer, attend);
    add_mlp(hidden, layers_[layer]);
  }
  return rms_norm(hidden, norm_, config_.rms_norm_eps);
}

std::vector<float> LlamaModel::product(const Matrix& matrix, std::span<const float> x) const {
  std::vector<float> out(x.size() / matrix.num_inputs() * matrix.num_outputs());
  matrix.multiply(out, x, *workers_);
  return out;
}

void LlamaModel::add_attention(std::span<float> hidden,
                               std::span<const std::size_t> positions,
                               std::size_t layer,
                               const Attend& attend) const {
  const LlamaLayer& weights = layers_[layer];
  const auto normed = rms_norm(hidden, weights.input_layernorm, config_.rms_norm_eps);
  auto query = product(weights.q_proj, normed);
  auto key = product(weights.k_proj, normed);
  const auto value = product(weights.v_proj, normed);
  if (config_.qk_norm) {
    query = rms_norm(query, weights.q_norm, config_.rms_norm_eps);
    key = rms_norm(key, weights.k_norm, config_.rms_norm_eps);
  }
  rotate_positions(query, positions, rope_turns_);
  rotate_positions(key, positions, rope_turns_);

  std::vector<float> attended(query.size());
  attend(layer, attended, query, key, value);
  add(hidden, product(weights.o_proj, attended));
}

void LlamaModel::add_mlp(std::span<float> hidden, const LlamaLayer& layer) const {
  const auto normed = rms_norm(hidden, layer.post_attention_layernorm, config_.rms_norm_eps);
  auto gate = product(layer.gate_proj, normed);
  silu_and_mul(gate, product(layer.up_proj, normed));
  add(hidden, product(layer.down_proj, gate));
}

std::vector<float> LlamaModel::compute_logits(std::span<const float> hidden_states) const {
  return product(lm_head_ ? *lm_head_ : *embed_tokens_, hidden_states);
}

}  // namespace kv

#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "07-serving/given/llama.h"

namespace kv {
namespace {

using nlohmann::json;

// Why refused: the model would speak, and what it says would be wrong.
void require_plain_llama(const json& config, const std::string& file) {
  const auto refuse_if = [&file](bool is_refused, const std::string& why) {
    if (is_refused) throw std::runtime_error(file + " is of a model " + why);
  };
  refuse_if(config.value("model_type", "") != "llama", "other than Llama");
  refuse_if(config.value("attention_bias", false) || config.value("mlp_bias", false),
            "with biases, which this kit does not add");
  refuse_if(config.value("hidden_act", "silu") != "silu", "with another activation than silu");
  refuse_if(config.contains("rope_scaling") && !config["rope_scaling"].is_null(),
            "with scaled rotary embeddings, which this kit does not compute");
}

// The token that ends a text; of several, the first.
std::optional<TokenId> eos_token_of(const json& config) {
  if (!config.contains("eos_token_id") || config["eos_token_id"].is_null()) return std::nullopt;
  const json& eos = config["eos_token_id"];
  return eos.is_array() ? eos.at(0).get<TokenId>() : eos.get<TokenId>();
}

LlamaConfig llama_config_of(const json& config) {
  const std::size_t hidden_size = config.at("hidden_size");
  const std::size_t num_heads = config.at("num_attention_heads");
  return {
      .vocab_size = config.at("vocab_size"),
      .hidden_size = hidden_size,
      .intermediate_size = config.at("intermediate_size"),
      .num_hidden_layers = config.at("num_hidden_layers"),
      .num_attention_heads = num_heads,
      .num_key_value_heads = config.value("num_key_value_heads", num_heads),
      .head_dim = config.value("head_dim", hidden_size / num_heads),
      .max_position_embeddings = config.at("max_position_embeddings"),
      .rms_norm_eps = config.at("rms_norm_eps"),
      .rope_theta = config.value("rope_theta", 10000.0),
      .tie_word_embeddings = config.value("tie_word_embeddings", false),
      .eos_token_id = eos_token_of(config),
  };
}

}  // namespace

LlamaConfig read_llama_config(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + " cannot be read");
  try {
    const json config = json::parse(in);
    require_plain_llama(config, file.string());
    return llama_config_of(config);
  } catch (const json::exception&) {
    throw std::runtime_error(file.string() + " lacks an entry that a Llama has, or is not JSON");
  }
}

LlamaModel load_llama(const std::filesystem::path& folder) {
  return {read_llama_config(folder / "config.json"),
          read_safetensors(folder / "model.safetensors")};
}

}  // namespace kv

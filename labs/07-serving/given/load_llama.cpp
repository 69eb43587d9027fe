#include <fstream>
#include <stdexcept>

#include "07-serving/given/llama.h"
#include "base/text/shallow_json.h"

namespace kv {
namespace {

using nlohmann::json;

// The entries about the rotary embedding, which are one entry since transformers 5.
json rope_parameters(const json& config) {
  return config.value("rope_parameters", json::object());
}

// Why refused: the model would speak, and what it says would be wrong.
void require_plain_llama(const json& config, const std::string& file) {
  const auto refuse_if = [&file](bool is_refused, const std::string& why) {
    if (is_refused) throw std::runtime_error(file + " is of a model " + why);
  };
  refuse_if(config.value("model_type", "") != "llama", "other than Llama");
  refuse_if(config.value("attention_bias", false) || config.value("mlp_bias", false),
            "with biases, which this kit does not add");
  refuse_if(config.value("hidden_act", "silu") != "silu", "with another activation than silu");
  const json rope = rope_parameters(config);
  refuse_if(rope.value("rope_type", "default") != "default" ||
                (config.contains("rope_scaling") && !config["rope_scaling"].is_null()),
            "with scaled rotary embeddings, which this kit does not compute");
}

// The first, where several are listed.
std::optional<TokenId> token_of(const json& config, const char* name) {
  if (!config.contains(name) || config[name].is_null()) return std::nullopt;
  const json& token = config[name];
  return token.is_array() ? token.at(0).get<TokenId>() : token.get<TokenId>();
}

// Why refused: heads of these sizes cannot be computed.
void require_possible(const LlamaConfig& llama, const std::string& file) {
  const bool has_sizes = llama.vocab_size > 0 && llama.hidden_size > 0 &&
                         llama.intermediate_size > 0 && llama.num_attention_heads > 0 &&
                         llama.num_key_value_heads > 0;
  const bool has_heads = has_sizes && llama.num_attention_heads % llama.num_key_value_heads == 0 &&
                         llama.head_dim > 0 && llama.head_dim % 2 == 0;
  const auto is_token = [&llama](const std::optional<TokenId>& token) {
    return !token || (*token >= 0 && static_cast<std::size_t>(*token) < llama.vocab_size);
  };
  if (!has_heads || !is_token(llama.bos_token_id))
    throw std::runtime_error(file + " has sizes that do not fit together");
}

LlamaConfig llama_config_of(const json& config) {
  const std::size_t hidden_size = config.at("hidden_size");
  const std::size_t num_heads = config.at("num_attention_heads");
  const std::size_t usual_head_dim = num_heads == 0 ? 0 : hidden_size / num_heads;
  return {
      .vocab_size = config.at("vocab_size"),
      .hidden_size = hidden_size,
      .intermediate_size = config.at("intermediate_size"),
      .num_hidden_layers = config.at("num_hidden_layers"),
      .num_attention_heads = num_heads,
      .num_key_value_heads = config.value("num_key_value_heads", num_heads),
      .head_dim = config.value("head_dim", usual_head_dim),
      .max_position_embeddings = config.at("max_position_embeddings"),
      .rms_norm_eps = config.at("rms_norm_eps"),
      .rope_theta =
          rope_parameters(config).value("rope_theta", config.value("rope_theta", 10000.0)),
      .tie_word_embeddings = config.value("tie_word_embeddings", false),
      .eos_token_id = token_of(config, "eos_token_id"),
      .bos_token_id = token_of(config, "bos_token_id"),
  };
}

}  // namespace

LlamaConfig read_llama_config(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + " cannot be read");
  try {
    const json config = shallow_json(in);
    require_plain_llama(config, file.string());
    const LlamaConfig llama = llama_config_of(config);
    require_possible(llama, file.string());
    return llama;
  } catch (const json::exception&) {
    throw std::runtime_error(file.string() + " lacks an entry that a Llama has, or is not JSON");
  }
}

LlamaModel load_llama(const std::filesystem::path& folder) {
  return {read_llama_config(folder / "config.json"),
          read_safetensors(folder / "model.safetensors")};
}

}  // namespace kv

#include <fstream>
#include <stdexcept>

#include "07-serving/given/config_entries.h"
#include "07-serving/given/llama.h"
#include "base/text/shallow_json.h"

namespace kv {
namespace {

using nlohmann::json;

bool is_qwen3(const json& config) {
  return entry_or<std::string>(config, "model_type", "") == "qwen3";
}

// Why refused: the model would speak, and what it says would be wrong.
void require_computed(const json& config) {
  if (!is_qwen3(config) && entry_or<std::string>(config, "model_type", "") != "llama")
    refuse_entry(config, "model_type", R"("llama" or "qwen3")");
  require_value<std::string>(config, "hidden_act", "silu", "silu");
  require_value(config, "attention_bias", false, false);
  require_value(config, "mlp_bias", false, false);
  require_value(config, "partial_rotary_factor", 1.0, 1.0);
  require_value(config, "use_sliding_window", false, false);
  const json kinds = entry_or(config, "layer_types", json::array());
  for (const json& kind : kinds)
    if (kind != "full_attention") refuse_entry(config, "layer_types", R"("full_attention")");
}

// The entries about the rotary embedding: since transformers 5 in rope_parameters, before in
// rope_scaling. Where both have some, transformers 5 takes those of rope_scaling.
json rope_entries(const json& config) {
  const json scaling = entry_or(config, "rope_scaling", json::object());
  const std::string name = scaling.empty() ? "rope_parameters" : "rope_scaling";
  const json rope = entry_or(config, name, json::object());
  if (!rope.is_object()) refuse_entry(config, name, "an object");
  for (const auto& [entry, value] : rope.items())
    if (value.is_object()) refuse_entry(config, name, "one object for all layers");
  return rope;
}

double positive_entry(const json& config,
                      const std::string& name,
                      std::optional<double> otherwise = {}) {
  const double value = otherwise ? entry_or(config, name, *otherwise) : entry<double>(config, name);
  if (!(value > 0)) refuse_entry(config, name, "a number above 0");
  return value;
}

RopeScaling rope_scaling_of(const json& rope) {
  require_value(rope, "partial_rotary_factor", 1.0, 1.0);
  const char* const name = rope.contains("rope_type") ? "rope_type" : "type";
  const std::string type = entry_or<std::string>(rope, name, "default");
  if (type == "default") return {};
  if (type != "linear" && type != "llama3")
    refuse_entry(rope, name, R"("default", "linear" or "llama3")");
  RopeScaling scaling{.factor = positive_entry(rope, "factor")};
  if (type == "llama3") {
    scaling.llama3 = {positive_entry(rope, "low_freq_factor"),
                      positive_entry(rope, "high_freq_factor"),
                      positive_entry(rope, "original_max_position_embeddings")};
    if (scaling.llama3->high_freq_factor <= scaling.llama3->low_freq_factor)
      refuse_entry(rope, "high_freq_factor", "a number above low_freq_factor");
  }
  return scaling;
}

// The first, where several are listed.
std::optional<TokenId> token_of(const json& config, const std::string& name) {
  json token = entry_or(config, name, json());
  if (token.is_array() && !token.empty()) token = token.front();
  if (token.is_null()) return std::nullopt;
  const auto vocab_size = entry<std::size_t>(config, "vocab_size");
  if (!token.is_number_unsigned() || token.get<std::uint64_t>() >= vocab_size)
    refuse_entry(config, name, "a token, which is a whole number below vocab_size");
  return token.get<TokenId>();
}

// Why refused: heads of these sizes cannot be computed.
void require_possible(const json& config, const LlamaConfig& llama) {
  if (llama.num_attention_heads % llama.num_key_value_heads != 0)
    refuse_entry(config, "num_key_value_heads", "a divisor of num_attention_heads");
  if (llama.head_dim == 0 || llama.head_dim % 2 != 0)
    throw EntryRefused("has heads of size " + std::to_string(llama.head_dim) +
                       " (\"head_dim\", or hidden_size / num_attention_heads); an even number is "
                       "needed");
}

// Why a Qwen 3 has no default: transformers' own, 32 heads of 128, fit few models, and all that are
// published say their sizes.
std::size_t size_or(const json& config, const std::string& name, std::size_t otherwise) {
  return is_qwen3(config) ? size_entry(config, name) : size_entry(config, name, otherwise);
}

LlamaConfig llama_config_of(const json& config) {
  const std::size_t hidden_size = size_entry(config, "hidden_size");
  const std::size_t num_heads = size_entry(config, "num_attention_heads");
  const json rope = rope_entries(config);
  const double theta = positive_entry(config, "rope_theta", 10000.0);
  return {
      .vocab_size = size_entry(config, "vocab_size"),
      .hidden_size = hidden_size,
      .intermediate_size = size_entry(config, "intermediate_size"),
      .num_hidden_layers = size_entry(config, "num_hidden_layers"),
      .num_attention_heads = num_heads,
      .num_key_value_heads = size_or(config, "num_key_value_heads", num_heads),
      .head_dim = size_or(config, "head_dim", hidden_size / num_heads),
      .max_position_embeddings = size_or(config, "max_position_embeddings", 2048),
      .rms_norm_eps = positive_entry(config, "rms_norm_eps", 1e-6),
      .rope_theta = positive_entry(rope, "rope_theta", theta),
      .tie_word_embeddings = entry_or(config, "tie_word_embeddings", false),
      .eos_token_id = token_of(config, "eos_token_id"),
      .bos_token_id = token_of(config, "bos_token_id"),
      .rope_scaling = rope_scaling_of(rope),
      .qk_norm = is_qwen3(config),
  };
}

}  // namespace

LlamaConfig read_llama_config(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + " cannot be read");
  try {
    const json config = shallow_json(in);
    require_computed(config);
    const LlamaConfig llama = llama_config_of(config);
    require_possible(config, llama);
    return llama;
  } catch (const EntryRefused& refused) {
    throw std::runtime_error(file.string() + " " + refused.what());
  } catch (const json::exception&) {
    throw std::runtime_error(file.string() + " is not JSON, or not an object");
  }
}

LlamaModel load_llama(const std::filesystem::path& folder, std::size_t num_threads) {
  return {read_llama_config(folder / "config.json"), read_safetensors(folder / "model.safetensors"),
          num_threads};
}

}  // namespace kv

#include "apps/speaker/speaker.h"

#include <unistd.h>

#include <algorithm>

namespace kv {
namespace {

Speaker load(const std::filesystem::path& folder, std::size_t num_threads) {
  const std::filesystem::path file = folder / "tokenizer.json";
  Speaker speaker = {load_llama(folder, num_threads), ExactTokenizer(file)};
  const auto vocab_size = static_cast<TokenId>(speaker.model.config().vocab_size);
  if (speaker.tokenizer.vocab_size() > speaker.model.config().vocab_size)
    throw InputError(folder.string() + " has a tokenizer with more tokens than the model");
  for (const TokenId token : speaker.beginning()) {
    if (token < 0 || token >= vocab_size)
      throw InputError(file.string() + " has a post_processor with token " + std::to_string(token) +
                       ", which the model lacks");
  }
  return speaker;
}

}  // namespace

std::vector<TokenId> Speaker::tokens_of(const std::string& text) const {
  std::vector<TokenId> token_ids = beginning();
  std::ranges::copy(tokenizer.encode(text), std::back_inserter(token_ids));
  return token_ids;
}

std::string Speaker::text_of(TokenId token) const {
  const bool has_text =
      token != model.config().bos_token_id && token != model.config().eos_token_id &&
      static_cast<std::size_t>(token) < tokenizer.vocab_size() && !tokenizer.is_special(token);
  return has_text ? tokenizer.bytes_of(token) : "";
}

Speaker load_speaker(const std::filesystem::path& folder, std::size_t num_threads) {
  for (const char* file : {"config.json", "model.safetensors", "tokenizer.json"}) {
    if (!std::filesystem::exists(folder / file))
      throw InputError("\"" + folder.string() + "\" has no " + file +
                       "; --model takes a folder with config.json, model.safetensors and "
                       "tokenizer.json");
  }
  try {
    return load(folder, num_threads);
  } catch (const std::runtime_error& error) {
    throw InputError(std::string(error.what()) + "; choose another model with --model");
  }
}

void require_memory(std::size_t num_blocks, std::size_t block_size, const LlamaConfig& llama) {
  const double num_bytes = 2.0 * sizeof(float) * static_cast<double>(llama.num_hidden_layers) *
                           static_cast<double>(llama.num_key_value_heads * llama.head_dim) *
                           static_cast<double>(block_size) * static_cast<double>(num_blocks);
  const double memory =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (num_bytes > memory / 2)
    throw InputError(std::to_string(num_blocks) + " blocks need " +
                     std::to_string(static_cast<long long>(num_bytes / 1e9)) +
                     " GB, more than half of this machine's memory; give fewer, with --blocks");
}

EngineConfig conversation_config(std::size_t num_blocks,
                                 std::size_t block_size,
                                 std::size_t max_num_seqs,
                                 Rules rules,
                                 const LlamaConfig& llama) {
  require_memory(num_blocks, block_size, llama);
  return {.num_gpu_blocks = num_blocks + 1,
          .block_size = block_size,
          .rules = rules,
          .scheduler = {
              .max_num_batched_tokens = kTokensOfStep,
              .max_num_seqs = max_num_seqs,
              .max_model_len = std::min(num_blocks * block_size, llama.max_position_embeddings)}};
}

std::string printable(std::string_view text) {
  const auto is_control = [](char byte) {
    const auto code = static_cast<unsigned char>(byte);
    return (code < ' ' && byte != '\n' && byte != '\t') || code == 0x7f;
  };
  std::string shown(text);
  std::erase_if(shown, is_control);
  return shown;
}

long seconds_for_a_step(const LlamaConfig& llama, std::size_t num_tokens) {
  const std::size_t of_layer =
      4 * llama.hidden_size * llama.hidden_size + 3 * llama.hidden_size * llama.intermediate_size;
  const std::size_t of_token =
      llama.num_hidden_layers * of_layer + llama.vocab_size * llama.hidden_size;
  constexpr double kPerSecond = 2e8;  // products of two numbers, a hundredth of what one core does
  return 10 + static_cast<long>(static_cast<double>(of_token) / kPerSecond *
                                static_cast<double>(num_tokens));
}

}  // namespace kv

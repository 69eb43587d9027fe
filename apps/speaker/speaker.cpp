#include "apps/speaker/speaker.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/text/shallow_json.h"

namespace kv {
namespace {

using nlohmann::json;

// A list of tokens, or one. Throws std::runtime_error.
std::vector<TokenId> read_ends(const std::filesystem::path& file, std::size_t vocab_size) {
  std::ifstream in(file);
  if (!in) return {};
  try {
    const json config = shallow_json(in);
    const json given = config.value("eos_token_id", json());
    std::vector<TokenId> ends;
    for (const json& end : given.is_array() ? given : json::array({given}))
      if (!end.is_null()) ends.push_back(end.get<TokenId>());
    const auto is_token = [&](TokenId end) {
      return end >= 0 && static_cast<std::size_t>(end) < vocab_size;
    };
    if (std::ranges::all_of(ends, is_token)) return ends;
  } catch (const json::exception&) {  // the same sentence
  }
  throw std::runtime_error(file.string() +
                           " has an \"eos_token_id\" that is no token of the model");
}

std::vector<TokenId> ends_of_model(const std::filesystem::path& folder, std::size_t vocab_size) {
  std::vector<TokenId> ends = read_ends(folder / "config.json", vocab_size);
  std::ranges::copy(read_ends(folder / "generation_config.json", vocab_size),
                    std::back_inserter(ends));
  return ends;
}

void require_tokens_of_model(const Speaker& speaker, const std::filesystem::path& folder) {
  const std::size_t vocab_size = speaker.model.config().vocab_size;
  if (speaker.tokenizer.vocab_size() > vocab_size)
    throw InputError(folder.string() + " has a tokenizer with more tokens than the model");
  for (const TokenId token : speaker.beginning()) {
    if (token < 0 || static_cast<std::size_t>(token) >= vocab_size)
      throw InputError((folder / "tokenizer.json").string() + " has a post_processor with token " +
                       std::to_string(token) + ", which the model lacks");
  }
}

Speaker load(const std::filesystem::path& folder, std::size_t num_threads) {
  Speaker speaker = {.model = load_llama(folder, num_threads),
                     .tokenizer = ExactTokenizer(folder / "tokenizer.json"),
                     .chat_template = read_chat_template(folder),
                     .ends = {},
                     .ends_of_answer = {}};
  require_tokens_of_model(speaker, folder);
  speaker.ends = ends_of_model(folder, speaker.model.config().vocab_size);
  speaker.ends_of_answer = speaker.ends;
  if (speaker.chat_template)
    std::ranges::copy(speaker.chat_template->ends(), std::back_inserter(speaker.ends_of_answer));
  return speaker;
}

}  // namespace

std::vector<TokenId> Speaker::tokens_of(const std::string& text) const {
  std::vector<TokenId> token_ids = beginning();
  std::ranges::copy(tokenizer.encode(text), std::back_inserter(token_ids));
  return token_ids;
}

std::string Speaker::text_of(const std::vector<Message>& messages) const {
  if (chat_template) return chat_template->text_of(messages);
  std::string text;
  for (const Message& message : messages) text += (text.empty() ? "" : "\n") + message.content;
  return text;
}

std::vector<TokenId> Speaker::tokens_of_conversation(const std::string& text) const {
  return chat_template ? tokenizer.encode(text) : tokens_of(text);
}

std::string Speaker::text_of(TokenId token) const {
  const LlamaConfig& config = model.config();
  const bool has_text = token != config.bos_token_id && token != config.eos_token_id &&
                        std::ranges::find(ends_of_answer, token) == ends_of_answer.end() &&
                        static_cast<std::size_t>(token) < tokenizer.vocab_size() &&
                        !tokenizer.is_special(token);
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

#pragma once
// A model with its tokenizer, for the programs that let it speak.

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "07-serving/engine.h"
#include "07-serving/given/llama.h"
#include "apps/speaker/chat_template.h"
#include "apps/speaker/exact_tokenizer.h"

namespace kv {

// The input cannot be used: one sentence, with what to do.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Speaker {
  LlamaModel model;
  ExactTokenizer tokenizer;
  std::optional<ChatTemplate> chat_template;  // none: the model has learned no roles
  // Tokens that end a text, beside the model's eos_token_id: a model can have several. In a
  // conversation, what ends a turn is one of them, too.
  std::vector<TokenId> ends, ends_of_answer;

  // What each text begins with: nothing, if the tokenizer puts nothing there.
  const std::vector<TokenId>& beginning() const { return tokenizer.tokens_before_a_text(); }
  std::vector<TokenId> tokens_of(const std::string& text) const;  // with its beginning

  // A conversation that the model is to answer: written as it has learned, or else the contents,
  // joined by line ends. What looks like a special token in a message becomes one, as in vLLM.
  // Throws ConversationRefused. Requires: there is a message.
  std::string text_of(const std::vector<Message>& messages) const;
  // The tokens of that text.
  std::vector<TokenId> tokens_of_conversation(const std::string& text) const;

  // What a token says: nothing for the beginning and the end of the text, for another special
  // token, and for one that the tokenizer lacks. (A model can have more tokens than its tokenizer,
  // to make a round number.)
  std::string text_of(TokenId token) const;
};

// num_threads: of the model's products. Throws InputError for a folder that has no model of this
// kind.
Speaker load_speaker(const std::filesystem::path& folder, std::size_t num_threads);

// Why checked: when memory is handed out lazily, a cache that is too large ends the program later,
// without a message. Throws InputError.
void require_memory(std::size_t num_blocks, std::size_t block_size, const LlamaConfig& llama);

constexpr std::size_t kTokensOfStep = 512;

// An engine for texts as long as the model and the blocks allow. num_blocks: without the null
// block. Throws InputError, as require_memory does.
EngineConfig conversation_config(std::size_t num_blocks,
                                 std::size_t block_size,
                                 std::size_t max_num_seqs,
                                 Rules rules,
                                 const LlamaConfig& llama);

// The text without characters that move the cursor or change colors, which a model may have
// learned.
std::string printable(std::string_view text);

// Ten seconds and a hundred times what a step of so many tokens needs.
long seconds_for_a_step(const LlamaConfig& llama, std::size_t num_tokens);

}  // namespace kv

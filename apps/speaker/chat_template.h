#pragma once
// How a model wants a conversation written: the file chat.json that ./lab model makes of the
// model's own template (apps/model/chat.py).

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kv/types.h"

namespace kv {

struct Message {
  std::string role, content;
};

// A conversation that cannot be written: the second half of a sentence that begins with its field.
struct ConversationRefused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ChatTemplate {
 public:
  explicit ChatTemplate(const nlohmann::json& chat);

  // The text that the model goes on with, as apply_chat_template of Hugging Face's transformers
  // gives it with add_generation_prompt. Throws ConversationRefused for roles that the template
  // does not take one after the other, and for a template that is no pieces.
  std::string text_of(const std::vector<Message>& messages) const;

  // Tokens that end an answer, beside those of the model.
  const std::vector<TokenId>& ends() const { return ends_; }

 private:
  struct Piece {
    std::string text;
    bool drops_space_before, drops_space_after;  // where the messages have some
  };

  const Piece& piece_between(const std::string& before, const std::string& after) const;

  std::map<std::pair<std::string, std::string>, Piece> between_;  // by the roles
  bool needs_text_ = false;  // a message without text would be written in another way
  std::string reason_;       // why the template is no pieces
  std::vector<TokenId> ends_;
};

// None: the model has learned no roles. Throws std::runtime_error for a file that cannot be read,
// with a sentence that names it.
std::optional<ChatTemplate> read_chat_template(const std::filesystem::path& folder);

// Without white space at the two ends, as Python's strip() and Jinja's trim count it.
std::string_view without_space_before(std::string_view text);
std::string_view without_space_after(std::string_view text);

}  // namespace kv

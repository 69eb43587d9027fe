#include "apps/speaker/chat_template.h"

#include <algorithm>
#include <fstream>

#include "apps/speaker/unicode_text.h"
#include "base/text/shallow_json.h"

namespace kv {
namespace {

using nlohmann::json;

constexpr const char* kBegin = "begin";
constexpr const char* kAnswer = "answer";

// Python counts four more letters as white space than Unicode.
bool is_separator(char byte) {
  return byte >= 0x1c && byte <= 0x1f;
}

bool has_template(const std::filesystem::path& folder) {
  if (std::filesystem::exists(folder / "chat_template.jinja")) return true;
  std::ifstream in(folder / "tokenizer_config.json");
  if (!in) return false;
  const json given = json::parse(in, nullptr, false);
  return given.is_object() && given.contains("chat_template") && !given["chat_template"].is_null();
}

json unread_template(const std::filesystem::path& folder) {
  return {{"refused", "its chat template is not read yet: ./lab model " + folder.string() +
                          " does that, and says the name to give to --model"}};
}

}  // namespace

std::string_view without_space_before(std::string_view text) {
  std::size_t num_bytes = 0;
  do {
    text.remove_prefix(num_bytes);
    num_bytes = !text.empty() && is_separator(text.front()) ? 1 : white_space_before(text);
  } while (num_bytes > 0);
  return text;
}

std::string_view without_space_after(std::string_view text) {
  std::size_t num_bytes = 0;
  do {
    text.remove_suffix(num_bytes);
    num_bytes = !text.empty() && is_separator(text.back()) ? 1 : white_space_after(text);
  } while (num_bytes > 0);
  return text;
}

ChatTemplate::ChatTemplate(const json& chat) {
  if (chat.contains("refused")) {
    reason_ = chat.at("refused");
    return;
  }
  for (const auto& [before, pieces] : chat.at("between").items())
    for (const auto& [after, piece] : pieces.items())
      between_[{before, after}] = {.text = piece.at("text"),
                                   .drops_space_before = piece.at("drops_space_before"),
                                   .drops_space_after = piece.at("drops_space_after")};
  needs_text_ = chat.at("needs_text");
  ends_ = chat.at("ends").get<std::vector<TokenId>>();
}

std::string ChatTemplate::text_of(const std::vector<Message>& messages) const {
  if (!reason_.empty()) throw ConversationRefused("cannot be written for this model: " + reason_);

  const Piece* before = &piece_between(kBegin, messages.front().role);
  std::string text = before->text;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const bool is_last = i + 1 == messages.size();
    const Piece& after = piece_between(messages[i].role, is_last ? kAnswer : messages[i + 1].role);
    std::string_view content = messages[i].content;
    if (needs_text_ && without_space_before(content).empty())
      throw ConversationRefused(
          "has a message without text, which the model's chat template "
          "takes for more than that");
    if (before->drops_space_after) content = without_space_before(content);
    if (after.drops_space_before) content = without_space_after(content);
    text.append(content).append(after.text);
    before = &after;
  }
  return text;
}

const ChatTemplate::Piece& ChatTemplate::piece_between(const std::string& before,
                                                       const std::string& after) const {
  const auto found = between_.find({before, after});
  if (found != between_.end()) return found->second;
  const std::string what = before == kBegin   ? "begins with a message of the role " + after
                           : after == kAnswer ? "ends with a message of the role " + before
                                              : "has a message of the role " + after +
                                                    " after one of the role " + before;
  throw ConversationRefused(what + ", which the model's chat template does not take");
}

std::optional<ChatTemplate> read_chat_template(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "chat.json";
  std::ifstream in(file);
  if (!in && has_template(folder)) return ChatTemplate(unread_template(folder));
  if (!in) return std::nullopt;
  try {
    return ChatTemplate(shallow_json(in));
  } catch (const json::exception&) {
    throw std::runtime_error(file.string() + " is not what ./lab model writes there");
  }
}

}  // namespace kv

#pragma once
// The messages of a call.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/speaker/chat_template.h"

namespace kv::serve {

// How an endpoint writes its messages.
struct MessageForm {
  std::string field;
  std::vector<std::string> roles;
  std::vector<std::string> text_types;  // types of those parts of a content that are text
};

inline const MessageForm kChatMessages = {
    "messages", {"developer", "system", "user", "assistant", "tool", "function"}, {"text"}};

// At least one. A developer is one who says what a system message says. Throws ApiError.
std::vector<Message> read_messages(const nlohmann::json& messages, const MessageForm& form);

}  // namespace kv::serve

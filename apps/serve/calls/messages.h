#pragma once
// The messages of a call, as one text.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kv::serve {

// How an endpoint writes its messages.
struct MessageForm {
  std::string field;
  std::vector<std::string> roles;
  std::vector<std::string> text_types;  // types of those parts of a content that are text
};

inline const MessageForm kChatMessages = {
    "messages", {"developer", "system", "user", "assistant", "tool", "function"}, {"text"}};

// Joined by line ends, for the model has learned no roles. Throws ApiError.
std::string joined_messages(const nlohmann::json& messages, const MessageForm& form);

}  // namespace kv::serve

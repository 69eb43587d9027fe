#include "apps/serve/calls/messages.h"

#include <algorithm>

#include "apps/serve/calls/fields.h"

namespace kv::serve {
namespace {

using nlohmann::json;

// Null if it is not there, or if this is no object.
json member(const json& object, const char* name) {
  return object.is_object() ? object.value(name, json()) : json();
}

bool is_one_of(const json& value, const std::vector<std::string>& texts) {
  return value.is_string() && std::ranges::find(texts, value.get<std::string>()) != texts.end();
}

// A text, or a list of parts that are texts.
std::string text_of_content(const json& content, const MessageForm& form) {
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) Fields::refuse(form.field, "needs a content that is text");
  std::string text;
  for (const json& part : content) {
    const json text_of_part = member(part, "text");
    if (!is_one_of(member(part, "type"), form.text_types) || !text_of_part.is_string())
      Fields::refuse(form.field, "needs a content that is text");
    text += text_of_part.get<std::string>();
  }
  return text;
}

void expect_message(const json& item, const MessageForm& form) {
  const json type = member(item, "type");
  if (!type.is_null() && type != "message")
    Fields::refuse(form.field,
                   "has an item of the type " + type.dump() + "; this server reads messages only");
}

void expect_role(const json& role, const MessageForm& form) {
  if (!role.is_string()) Fields::refuse(form.field, "needs a role and a content in each message");
  if (is_one_of(role, form.roles)) return;
  std::string roles;
  for (const std::string& known : form.roles) roles += (roles.empty() ? "" : ", ") + known;
  Fields::refuse(form.field, "has the role " + role.dump() + ", and the roles are " + roles);
}

}  // namespace

std::vector<Message> read_messages(const json& messages, const MessageForm& form) {
  if (!messages.is_array() || messages.empty())
    Fields::refuse(form.field, "has to be a list with at least one message");
  std::vector<Message> read;
  for (const json& message : messages) {
    expect_message(message, form);
    const json role = member(message, "role");
    expect_role(role, form);
    read.push_back({role == "developer" ? "system" : role.get<std::string>(),
                    text_of_content(member(message, "content"), form)});
  }
  return read;
}

}  // namespace kv::serve

#include "apps/serve/calls/responses_fields.h"

#include <algorithm>

#include "apps/serve/calls/messages.h"

namespace kv::serve {

using nlohmann::json;

namespace {

const MessageForm kResponseInput = {
    "input", {"developer", "system", "user", "assistant"}, {"input_text", "output_text"}};

}  // namespace

std::vector<Message> read_input(Fields& fields) {
  const json& instructions = fields.value("instructions");
  const json& input = fields.value("input");
  if (!instructions.is_null() && !instructions.is_string())
    Fields::refuse("instructions", "has to be a text");
  if (!input.is_string() && !input.is_array())
    Fields::refuse("input", "has to be a text or a list of messages");
  std::vector<Message> messages;
  if (!instructions.is_null()) messages.push_back({"system", instructions.get<std::string>()});
  if (input.is_string())
    messages.push_back({"user", input.get<std::string>()});
  else
    std::ranges::move(read_messages(input, kResponseInput), std::back_inserter(messages));
  return messages;
}

json fields_given_back(const json& given) {
  json back = {{"instructions", nullptr},
               {"max_output_tokens", nullptr},
               {"metadata", json::object()},
               {"parallel_tool_calls", true},
               {"previous_response_id", nullptr},
               {"store", false},
               {"temperature", 1},
               {"text", {{"format", {{"type", "text"}}}}},
               {"tool_choice", "auto"},
               {"tools", json::array()},
               {"top_logprobs", 0},
               {"top_p", 1},
               {"truncation", "disabled"}};
  for (const auto& [name, value] : back.items()) {
    const auto found = given.find(name);
    if (name != "store" && found != given.end() && !found->is_null()) value = *found;
  }
  return back;
}

}  // namespace kv::serve

// Conversations as a model wants them, for test_chat_template.py: the argument is a folder that
// ./lab model has made; each line of the input is a list of messages as JSON, each line of the
// output its text, or why it is refused.

#include <cstdio>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/speaker/chat_template.h"

namespace {

nlohmann::json text_of(const kv::ChatTemplate& chat_template, const nlohmann::json& conversation) {
  std::vector<kv::Message> messages;
  for (const auto& message : conversation)
    messages.push_back({message.at("role"), message.at("content")});
  try {
    return chat_template.text_of(messages);
  } catch (const kv::ConversationRefused& refused) {
    return {{"refused", refused.what()}};
  }
}

}  // namespace

int main(int, char** argv) {
  try {
    const auto chat_template = kv::read_chat_template(argv[1]).value();
    for (std::string line; std::getline(std::cin, line);)
      std::cout << text_of(chat_template, nlohmann::json::parse(line)).dump(-1, ' ', true) << "\n";
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}

#pragma once
// The tokens of an answer as the endpoints list them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/serve/answers/answer.h"

namespace kv::serve {

inline nlohmann::json chat_logprob(const Logprob& logprob, const Speaker& speaker) {
  const std::string text = speaker.text_of(logprob.token_id);
  std::vector<int> bytes;
  for (const char byte : text) bytes.push_back(static_cast<unsigned char>(byte));
  return {{"token", text}, {"logprob", logprob.logprob}, {"bytes", bytes}};
}

// For /v1/chat/completions and /v1/responses: an object a token.
inline nlohmann::json chat_logprobs(const std::vector<ListedToken>& listed,
                                    const Speaker& speaker) {
  nlohmann::json content = nlohmann::json::array();
  for (const ListedToken& token : listed) {
    nlohmann::json entry = chat_logprob(token.likely->chosen, speaker);
    entry["top_logprobs"] = nlohmann::json::array();
    for (const Logprob& top : token.likely->top)
      entry["top_logprobs"].push_back(chat_logprob(top, speaker));
    content.push_back(std::move(entry));
  }
  return content;
}

// For /v1/completions: lists side by side.
inline nlohmann::json text_logprobs(const std::vector<ListedToken>& listed,
                                    const Speaker& speaker) {
  const nlohmann::json none = nlohmann::json::array();
  nlohmann::json lists = {
      {"tokens", none}, {"token_logprobs", none}, {"top_logprobs", none}, {"text_offset", none}};
  for (const ListedToken& token : listed) {
    nlohmann::json logprob, top;
    if (token.likely) {
      logprob = token.likely->chosen.logprob;
      top = nlohmann::json::object();
      for (const Logprob& each : token.likely->top)
        top[speaker.text_of(each.token_id)] = each.logprob;
    }
    lists["tokens"].push_back(speaker.text_of(token.token_id));
    lists["token_logprobs"].push_back(std::move(logprob));
    lists["top_logprobs"].push_back(std::move(top));
    lists["text_offset"].push_back(token.text_offset);
  }
  return lists;
}

}  // namespace kv::serve

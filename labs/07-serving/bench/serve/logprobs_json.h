#pragma once
// Sampled tokens as the two endpoints list them.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "07-serving/bench/speaker/speaker.h"
#include "07-serving/given/sampled_token.h"

namespace kv::serve {

inline nlohmann::json chat_logprob(const Logprob& logprob, const Speaker& speaker) {
  const std::string text = speaker.text_of(logprob.token_id);
  std::vector<int> bytes;
  for (const char byte : text) bytes.push_back(static_cast<unsigned char>(byte));
  return {{"token", text}, {"logprob", logprob.logprob}, {"bytes", bytes}};
}

// For /v1/chat/completions: an object a token.
inline nlohmann::json chat_logprobs(const std::vector<SampledToken>& sampled,
                                    const Speaker& speaker) {
  nlohmann::json content = nlohmann::json::array();
  for (const SampledToken& token : sampled) {
    nlohmann::json entry = chat_logprob(token.chosen, speaker);
    entry["top_logprobs"] = nlohmann::json::array();
    for (const Logprob& top : token.top)
      entry["top_logprobs"].push_back(chat_logprob(top, speaker));
    content.push_back(std::move(entry));
  }
  return {{"content", content}};
}

// For /v1/completions: lists side by side. offset: bytes of the answer before these tokens.
inline nlohmann::json text_logprobs(const std::vector<SampledToken>& sampled,
                                    std::size_t offset,
                                    const Speaker& speaker) {
  const nlohmann::json none = nlohmann::json::array();
  nlohmann::json lists = {
      {"tokens", none}, {"token_logprobs", none}, {"top_logprobs", none}, {"text_offset", none}};
  for (const SampledToken& token : sampled) {
    const std::string text = speaker.text_of(token.chosen.token_id);
    nlohmann::json top = nlohmann::json::object();
    for (const Logprob& each : token.top) top[speaker.text_of(each.token_id)] = each.logprob;
    lists["tokens"].push_back(text);
    lists["token_logprobs"].push_back(token.chosen.logprob);
    lists["top_logprobs"].push_back(std::move(top));
    lists["text_offset"].push_back(offset);
    offset += text.size();
  }
  return lists;
}

}  // namespace kv::serve

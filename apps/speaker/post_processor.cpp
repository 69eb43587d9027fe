#include "apps/speaker/post_processor.h"

#include <algorithm>
#include <stdexcept>

namespace kv {
namespace {

using nlohmann::json;

// The ids of one entry of a template, which names a special token.
std::vector<TokenId> ids_of_special_token(const json& processor, const json& entry) {
  const std::string name = entry.at("SpecialToken").at("id");
  return processor.at("special_tokens").at(name).at("ids").get<std::vector<TokenId>>();
}

std::vector<TokenId> tokens_of_template(const json& processor) {
  std::vector<TokenId> before;
  std::size_t num_texts = 0;
  for (const json& entry : processor.at("single")) {
    if (entry.contains("Sequence")) {
      ++num_texts;
    } else if (num_texts == 0) {
      std::ranges::copy(ids_of_special_token(processor, entry), std::back_inserter(before));
    } else {
      throw std::runtime_error("has a post_processor that puts " +
                               entry.at("SpecialToken").at("id").dump() +
                               " after each text, and a text with an end cannot be continued");
    }
  }
  if (num_texts != 1)
    throw std::runtime_error("has a post_processor whose entry \"single\" has not one text");
  return before;
}

std::vector<TokenId> tokens_of_processor(const json& processor) {
  if (processor.is_null()) return {};
  const std::string type = processor.at("type");
  if (type == "ByteLevel") return {};  // it changes offsets only
  if (type == "TemplateProcessing") return tokens_of_template(processor);
  if (type != "Sequence")
    throw std::runtime_error("has a post_processor of type " + type +
                             "; TemplateProcessing, ByteLevel and Sequence can be read");

  std::vector<TokenId> before;
  for (const json& each : processor.at("processors")) {
    const std::vector<TokenId> more = tokens_of_processor(each);
    before.insert(before.begin(), more.begin(), more.end());  // each gets what the last one gave
  }
  return before;
}

}  // namespace

std::vector<TokenId> tokens_before_a_text(const json& tokenizer) {
  try {
    return tokens_of_processor(tokenizer.value("post_processor", json()));
  } catch (const json::exception&) {
    throw std::runtime_error("has a post_processor that cannot be read");
  }
}

}  // namespace kv

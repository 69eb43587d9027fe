#include "apps/speaker/exact_tokenizer.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "apps/speaker/post_processor.h"
#include "apps/speaker/unicode_text.h"
#include "base/text/shallow_json.h"

namespace kv {
namespace {

using nlohmann::json;

// Whether it is NFC, and not nothing.
bool is_normalizer_nfc(const json& entry) {
  if (entry.is_null()) return false;
  const std::string type = entry.at("type");
  if (type == "NFC") return true;
  if (type != "Sequence")
    throw std::runtime_error("has a normalizer of type " + type + "; NFC and Sequence can be read");
  bool is_nfc = false;
  for (const json& each : entry.at("normalizers")) is_nfc = is_normalizer_nfc(each) || is_nfc;
  return is_nfc;
}

void require_readable(const json& tokenizer) {
  for (const char* name : {"truncation", "padding"})
    if (!tokenizer.value(name, json()).is_null())
      throw std::runtime_error(std::string("has the entry ") + name +
                               ", which would change a prompt; write null there");
  const json decoder = tokenizer.value("decoder", json());
  const json type = decoder.is_null() ? decoder : decoder.at("type");
  if (type != "ByteLevel")
    throw std::runtime_error("has a decoder of type " + type.dump() + "; ByteLevel can be read");
}

const json& checked(const json& tokenizer) {
  require_readable(tokenizer);
  return tokenizer;
}

}  // namespace

ExactTokenizer::ExactTokenizer(const std::filesystem::path& file) : ExactTokenizer(read(file)) {}

ExactTokenizer::ExactTokenizer(const json& tokenizer)
    : is_composed_(is_normalizer_nfc(checked(tokenizer).value("normalizer", json()))),
      bpe_(tokenizer.at("model")),
      added_(tokenizer.value("added_tokens", json::array()), bpe_.ids(), is_composed_),
      pre_tokenizer_(tokenizer.value("pre_tokenizer", json())),
      before_(kv::tokens_before_a_text(tokenizer)),
      bytes_(bpe_.bytes_of_tokens()) {
  note_tokens();
}

ExactTokenizer ExactTokenizer::read(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw std::runtime_error(file.string() + " cannot be read");
  try {
    return ExactTokenizer(shallow_json(in));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(file.string() + " " + error.what());
  } catch (const std::exception&) {
    throw std::runtime_error(file.string() + " is not a tokenizer of the kind byte-level BPE");
  }
}

void ExactTokenizer::note_tokens() {
  is_special_.resize(bytes_.size());
  for (const AddedToken& token : added_.tokens()) {
    const auto index = static_cast<std::size_t>(token.id);
    bytes_.resize(std::max(bytes_.size(), index + 1));
    is_special_.resize(bytes_.size());
    bytes_[index] = token.content;
    is_special_[index] = token.is_special;
  }
  const bool keeps_length = !is_composed_ && !added_.takes_space() && bpe_.has_all_bytes() &&
                            pre_tokenizer_.keeps_all_bytes();
  if (keeps_length)
    for (const std::string& bytes : bytes_) longest_token_ = std::max(longest_token_, bytes.size());
}

std::vector<TokenId> ExactTokenizer::encode(std::string_view text) const {
  std::vector<TokenId> token_ids;
  for (const TextPart& part : added_.parts_of(valid_utf8(text), false)) {
    if (part.token) token_ids.push_back(*part.token);
    const std::string normal = is_composed_ ? composed(part.text) : part.text;
    for (const TextPart& smaller : added_.parts_of(normal, true)) {
      if (smaller.token) token_ids.push_back(*smaller.token);
      for (const std::string& piece : pre_tokenizer_.pieces_of(smaller.text))
        bpe_.encode(piece, token_ids);
    }
  }
  return token_ids;
}

}  // namespace kv

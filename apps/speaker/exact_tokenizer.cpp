#include "apps/speaker/exact_tokenizer.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "apps/speaker/byte_level_bpe.h"
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

bool is_sentence_piece(const json& tokenizer) {
  return is_set(tokenizer.at("model"), "byte_fallback");
}

void require_byte_level_decoder(const json& decoder) {
  const json type = decoder.is_null() ? decoder : decoder.at("type");
  if (type != "ByteLevel")
    throw std::runtime_error("has a decoder of type " + type.dump() + "; ByteLevel can be read");
}

const json& checked(const json& tokenizer) {
  for (const char* name : {"truncation", "padding"})
    if (!tokenizer.value(name, json()).is_null())
      throw std::runtime_error(std::string("has the entry ") + name +
                               ", which would change a prompt; write null there");
  const json decoder = tokenizer.value("decoder", json());
  if (is_sentence_piece(tokenizer))
    require_sentence_piece_decoder(decoder);
  else
    require_byte_level_decoder(decoder);
  return tokenizer;
}

std::shared_ptr<const Bpe> read_bpe(const json& tokenizer) {
  const json& model = tokenizer.at("model");
  if (is_sentence_piece(tokenizer)) return std::make_shared<SentencePieceBpe>(model);
  return std::make_shared<ByteLevelBpe>(model);
}

}  // namespace

ExactTokenizer::ExactTokenizer(const std::filesystem::path& file) : ExactTokenizer(read(file)) {}

ExactTokenizer::ExactTokenizer(const json& tokenizer)
    : bpe_(read_bpe(checked(tokenizer))),
      is_composed_(!is_sentence_piece(tokenizer) &&
                   is_normalizer_nfc(tokenizer.value("normalizer", json()))),
      added_(tokenizer.value("added_tokens", json::array()), bpe_->ids(), is_composed_),
      before_(kv::tokens_before_a_text(tokenizer)),
      bytes_(bpe_->bytes_of_tokens()) {
  if (is_sentence_piece(tokenizer))
    blank_mark_.emplace(tokenizer);
  else
    pre_tokenizer_.emplace(tokenizer.value("pre_tokenizer", json()));
  require_plain_added_tokens();
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
    throw std::runtime_error(file.string() + " is not a tokenizer of the kind BPE");
  }
}

// Why refused: tokenizers looks for the normal form of such a token, with a blank before it.
void ExactTokenizer::require_plain_added_tokens() const {
  if (!blank_mark_ || !blank_mark_->is_normalizer()) return;
  for (const AddedToken& token : added_.tokens())
    if (token.is_normalized)
      throw std::runtime_error("has the added token " + json(token.content).dump() +
                               " with normalized, which cannot be read exactly beside its "
                               "normalizer");
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
  const bool keeps_length = !is_composed_ && !added_.takes_space() && bpe_->has_all_bytes() &&
                            (!pre_tokenizer_ || pre_tokenizer_->keeps_all_bytes());
  if (keeps_length)
    for (const std::string& bytes : bytes_) longest_token_ = std::max(longest_token_, bytes.size());
}

std::string ExactTokenizer::normal_form(const std::string& part, bool is_first) const {
  if (blank_mark_ && blank_mark_->is_normalizer() && !part.empty())
    return blank_mark_->marked(part, is_first);
  return is_composed_ ? composed(part) : part;
}

std::vector<std::string> ExactTokenizer::pieces_of(const std::string& part, bool is_first) const {
  if (pre_tokenizer_) return pre_tokenizer_->pieces_of(part);
  if (part.empty()) return {};
  return {blank_mark_->is_normalizer() ? part : blank_mark_->marked(part, is_first)};
}

std::vector<TokenId> ExactTokenizer::encode(std::string_view text) const {
  std::vector<TokenId> token_ids;
  bool is_first = true;
  for (const TextPart& part : added_.parts_of(valid_utf8(text), false)) {
    if (part.token) token_ids.push_back(*part.token);
    for (const TextPart& smaller : added_.parts_of(normal_form(part.text, is_first), true)) {
      if (smaller.token) token_ids.push_back(*smaller.token);
      for (const std::string& piece : pieces_of(smaller.text, is_first))
        bpe_->encode(piece, token_ids);
      is_first = false;
    }
    is_first = false;
  }
  return token_ids;
}

}  // namespace kv

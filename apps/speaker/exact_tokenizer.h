#pragma once
// A tokenizer.json that gives the tokens of Hugging Face's library tokenizers, or is refused in a
// sentence that names the entry.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apps/speaker/added_tokens.h"
#include "apps/speaker/bpe.h"
#include "apps/speaker/pre_tokenizer.h"
#include "apps/speaker/sentence_piece.h"

namespace kv {

class ExactTokenizer {
 public:
  // Throws std::runtime_error, with a sentence that names the file.
  explicit ExactTokenizer(const std::filesystem::path& file);

  std::size_t vocab_size() const { return bytes_.size(); }

  // What encode of tokenizers puts before each text (post_processor.h).
  const std::vector<TokenId>& tokens_before_a_text() const { return before_; }

  // The tokens of a text, without those. A byte that is no UTF-8 counts as U+FFFD.
  // O(text * log(text)).
  std::vector<TokenId> encode(std::string_view text) const;

  // No text has fewer tokens: one that is too long is refused before it is encoded. It is 0 if a
  // long text can become a short one.
  std::size_t least_num_tokens(std::string_view text) const {
    return longest_token_ == 0 ? 0 : (text.size() + longest_token_ - 1) / longest_token_;
  }

  // The bytes of a token, which may be a part of a letter; of an added one, its name.
  const std::string& bytes_of(TokenId token) const {
    return bytes_.at(static_cast<std::size_t>(token));
  }

  // Whether the tokens of a text begin with a blank that the text does not have.
  bool adds_blank() const { return blank_mark_.has_value(); }

  // Whether a token, such as <|im_start|>, stands for no text.
  bool is_special(TokenId token) const { return is_special_.at(static_cast<std::size_t>(token)); }

 private:
  explicit ExactTokenizer(const nlohmann::json& tokenizer);
  static ExactTokenizer read(const std::filesystem::path& file);
  void note_tokens();
  void require_plain_added_tokens() const;
  std::string normal_form(const std::string& part, bool is_first) const;
  std::vector<std::string> pieces_of(const std::string& part, bool is_first) const;

  std::shared_ptr<const Bpe> bpe_;
  bool is_composed_;  // the normalizer is NFC
  AddedTokens added_;
  std::optional<BlankMark> blank_mark_;        // in the way of SentencePiece, or
  std::optional<PreTokenizer> pre_tokenizer_;  // over bytes
  std::vector<TokenId> before_;
  std::vector<std::string> bytes_;  // [token]
  std::vector<bool> is_special_;    // [token]
  std::size_t longest_token_ = 0;   // bytes; 0: it can be as long as a text
};

}  // namespace kv

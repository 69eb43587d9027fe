#pragma once
// From text to tokens and back: byte-level BPE, as GPT-2 and its successors have it.
//
// A text is cut into pieces (a word with the blank before it, a number, signs, blanks). A piece
// begins as one token for each byte; then the two neighbors that were merged first in the training
// of the tokenizer become one token, again and again, until no two neighbors can.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "07-serving/given/merged_piece.h"
#include "kv/types.h"

namespace kv {

class Tokenizer {
 public:
  // file: a tokenizer.json of Hugging Face. Throws std::runtime_error, with a sentence that names
  // the file, for one of another kind.
  explicit Tokenizer(const std::filesystem::path& file);

  std::size_t vocab_size() const { return bytes_.size(); }

  // The tokens of a text. Letters outside ASCII count as letters, whatever they are.
  // O(text * log(text)).
  std::vector<TokenId> encode(std::string_view text) const;

  // The fewest tokens that a text can have: one that is too long is refused before it is encoded.
  std::size_t least_num_tokens(std::string_view text) const {
    return (text.size() + longest_token_ - 1) / longest_token_;
  }

  // The bytes of a token, which may be a part of a letter; of a token such as <|endoftext|>, its
  // name.
  const std::string& bytes_of(TokenId token) const {
    return bytes_.at(static_cast<std::size_t>(token));
  }

 private:
  std::array<TokenId, 256> token_of_byte_ = {};
  Merges merges_;
  std::vector<std::string> bytes_;  // [token]
  std::size_t longest_token_ = 1;   // bytes
};

// How many bytes at the beginning of text are whole letters of UTF-8, so that they can be printed;
// the rest waits for the next token.
std::size_t num_printable_bytes(std::string_view text);

// Letters of UTF-8: all bytes but those that continue a letter.
std::size_t num_letters(std::string_view text);

}  // namespace kv

#pragma once
// Tokenizers in the way of SentencePiece, as those of Llama 2: BPE over letters, where a blank is
// the letter U+2581, and a letter that is no token becomes its bytes.

#include <array>

#include "apps/speaker/bpe.h"

namespace kv {

class SentencePieceBpe : public Bpe {
 public:
  explicit SentencePieceBpe(const nlohmann::json& model);

  std::string bytes_of(const std::string& written) const override;
  bool has_all_bytes() const override { return true; }

 protected:
  std::vector<TokenId> symbols_of(std::string_view piece) const override;

 private:
  std::array<TokenId, 256> id_of_byte_ = {};
  std::map<std::string, char> byte_of_name_;  // from <0x0A> on
};

// The letter in place of each blank, and where one more stands before a text: the entries
// "normalizer" and "pre_tokenizer" of a tokenizer.json.
class BlankMark {
 public:
  // Throws std::runtime_error, with the second half of a sentence that begins with the file.
  explicit BlankMark(const nlohmann::json& tokenizer);

  // is_first: nothing is before this part of a text. Requires: the part is not empty.
  std::string marked(const std::string& part, bool is_first) const;

  bool is_normalizer() const { return is_normalizer_; }

 private:
  enum class Where { kNowhere, kBeforeFirst, kBeforeEach };

  void read_normalizer(const nlohmann::json& entry);
  void read_pre_tokenizer(const nlohmann::json& entry);

  Where where_ = Where::kNowhere;
  bool is_normalizer_ = false;  // it comes before added tokens are looked for in a normal form
  bool marks_twice_ = false;    // before a part that begins with a blank, too
};

// Throws as BlankMark does, for a decoder that is not the reverse of this.
void require_sentence_piece_decoder(const nlohmann::json& decoder);

}  // namespace kv

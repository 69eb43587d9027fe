#pragma once
// Tokens that are cut out of a text before anything else, such as <|im_start|>: the entry
// "added_tokens" of a tokenizer.json.

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kv/types.h"

namespace kv {

struct AddedToken {
  TokenId id;
  std::string content;
  bool is_special, takes_space_before, takes_space_behind;
  bool is_normalized;  // it is looked for in the text in its normal form
};

// A part of a text: an added token, or what lies between two.
struct TextPart {
  std::optional<TokenId> token;
  std::string text;
};

class AddedTokens {
 public:
  // ids: of the model's own tokens. Throws std::runtime_error, with the second half of a sentence
  // that begins with the file.
  AddedTokens(const nlohmann::json& entry,
              const std::map<std::string, TokenId>& ids,
              bool has_normal_form);

  const std::vector<AddedToken>& tokens() const { return tokens_; }

  // Where several tokens begin, the longest one counts. is_normalized: which of the tokens.
  std::vector<TextPart> parts_of(const std::string& text, bool is_normalized) const;

  bool takes_space() const;  // so one token can be as long as a text

 private:
  const AddedToken* match_at(std::string_view text, bool is_normalized) const;

  std::vector<AddedToken> tokens_;                      // in the order of the file
  std::map<char, std::vector<std::size_t>> of_letter_;  // by the first byte, the longest ones first
};

}  // namespace kv

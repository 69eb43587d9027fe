#pragma once
// From a piece of a text to tokens, and from a token to bytes: the entry "model" of a
// tokenizer.json.

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "07-serving/given/merged_piece.h"

namespace kv {

class ByteLevelBpe {
 public:
  // Throws std::runtime_error, with the second half of a sentence that begins with the file.
  explicit ByteLevelBpe(const nlohmann::json& model);

  const std::map<std::string, TokenId>& ids() const { return ids_; }  // as written in the file
  std::vector<std::string> bytes_of_tokens() const;                   // [token]

  // O(piece * log(piece)).
  void encode(std::string_view piece, std::vector<TokenId>& token_ids) const;

  // Whether each byte of a text is in a token of its own, or a part of one.
  bool has_all_bytes() const;

 private:
  void read_options(const nlohmann::json& model);
  void read_merges(const nlohmann::json& merges);

  std::map<std::string, TokenId> ids_;
  std::unordered_map<std::string, TokenId> id_of_bytes_;
  std::array<std::optional<TokenId>, 256> id_of_byte_ = {};
  Merges merges_;
  std::optional<TokenId> unk_;
  bool fuses_unk_ = false, ignores_merges_ = false;
};

}  // namespace kv

#pragma once
// From a piece of a text to tokens, and from a token to bytes: the entry "model" of a
// tokenizer.json. What the two alphabets of BPE have in common.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "07-serving/given/merged_piece.h"

namespace kv {

class Bpe {
 public:
  virtual ~Bpe() = default;

  const std::map<std::string, TokenId>& ids() const { return ids_; }  // as written in the file

  // O(piece * log(piece)).
  void encode(std::string_view piece, std::vector<TokenId>& token_ids) const;

  virtual std::string bytes_of(const std::string& token) const = 0;  // as written in the file
  // Whether each byte of a text is in a token of its own, or a part of one.
  virtual bool has_all_bytes() const = 0;

  std::vector<std::string> bytes_of_tokens() const;  // [token]

 protected:
  // Throws std::runtime_error, with the second half of a sentence that begins with the file.
  explicit Bpe(const nlohmann::json& model);

  // The tokens before neighbors become one.
  virtual std::vector<TokenId> symbols_of(std::string_view piece) const = 0;

  std::unordered_map<std::string, TokenId> id_of_piece_;  // by the bytes of a text

 private:
  void read_merges(const nlohmann::json& merges);

  std::map<std::string, TokenId> ids_;
  Merges merges_;
  bool ignores_merges_ = false;
};

// Whether an entry is there, and says more than false, 0 or nothing.
bool is_set(const nlohmann::json& model, const char* name);

}  // namespace kv

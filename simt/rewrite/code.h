#pragma once
// A source file as tokens, and the edits to be made in it.

#include <string>
#include <vector>

#include "simt/rewrite/rewrite.h"
#include "simt/rewrite/tokens.h"

namespace kv::simt {

class Code {
 public:
  Code(std::string_view source, const std::string& file)
      : source_(source), file_(file), tokens_(tokenize(source)) {}

  std::size_t size() const { return tokens_.size(); }
  TokenKind kind(std::size_t i) const { return tokens_[i].kind; }

  // Beyond either end there is nothing; size_t(-1) is in front of the first token.
  std::string_view text(std::size_t i) const { return i < size() ? tokens_[i].text : ""; }
  bool is_word(std::size_t i) const { return i < size() && kind(i) == TokenKind::kWord; }

  // The bracket that belongs to the one at `i`, or size(). `step` is 1 or -1.
  std::size_t matching_bracket(std::size_t i, int step) const;

  // Edits are made from front to back.
  void insert_before(std::size_t i, std::string text) { edits_.push_back({i, 0, text}); }
  void replace(std::size_t i, std::string text) {
    edits_.push_back({i, tokens_[i].text.size(), text});
  }
  std::string edited() const;

  [[noreturn]] void refuse(std::size_t i, const std::string& sentence) const;

 private:
  struct Edit {
    std::size_t token;
    std::size_t num_replaced;  // characters
    std::string text;
  };

  std::string_view source_;
  std::string file_;
  std::vector<Token> tokens_;
  std::vector<Edit> edits_;
};

void rewrite_launches(Code& code);
void rewrite_dynamic_shared(Code& code);

}  // namespace kv::simt

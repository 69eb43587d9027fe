#pragma once
// C++ text as tokens: enough to change one place of it, not enough to know what it means.

#include <string_view>
#include <vector>

namespace kv::grader::mutate {

enum class TokenKind { kWord, kNumber, kText, kMark };  // kText: a string or a character

struct Token {
  TokenKind kind;
  std::string_view text;
  std::size_t begin;  // where it stands in the source

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view other) const { return text == other; }
};

// The tokens of source[begin, end), without comments and preprocessor lines. They point into
// `source`.
std::vector<Token> tokens_of(std::string_view source, std::size_t begin, std::size_t end);

}  // namespace kv::grader::mutate

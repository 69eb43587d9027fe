#pragma once
// C++ and CUDA source as tokens: just enough to know what is code and what is comment or string.

#include <string_view>
#include <vector>

namespace kv::simt {

enum class TokenKind { kWord, kLiteral, kSymbol };  // a number counts as a word

struct Token {
  TokenKind kind;
  std::string_view text;  // a part of the source
  int line;
};

// Comments and white space are what lies between the tokens. A symbol is one character, except for
// <<< >>> :: -> <= >=
std::vector<Token> tokenize(std::string_view source);

}  // namespace kv::simt

#pragma once
// C++ and CUDA text as tokens: enough to change one place, not enough to understand the code.

#include <span>
#include <string_view>
#include <vector>

namespace kv::grader {

enum class TokenKind { kWord, kNumber, kLiteral, kSymbol };  // kLiteral: a string or a character

struct Token {
  TokenKind kind;
  std::string_view text;  // a part of the source
  std::size_t begin;      // its offset in the source

  std::size_t end() const { return begin + text.size(); }
  bool is(std::string_view other) const { return text == other; }
};

enum class Directives { kSkip, kKeep };  // preprocessor lines

// The tokens of source[begin, end); comments and white space are what is between them. The longest
// symbol is one token, so "<=" is not "<". Exception: ">>" is two tokens, because it often closes
// two lists of template arguments; ">>>" is one, because it closes the launch of a kernel.
std::vector<Token> tokenize(std::string_view source,
                            std::size_t begin,
                            std::size_t end,
                            Directives directives);
std::vector<Token> tokenize(std::string_view source, Directives directives);

// 1 for ( [ {, -1 for ) ] }, else 0.
int nesting(std::string_view symbol);

// The bracket that belongs to the one at `i`, or tokens.size(). step: 1 to search forward from an
// opening bracket, -1 to search backward from a closing one.
std::size_t matching_bracket(std::span<const Token> tokens, std::size_t i, int step);

}  // namespace kv::grader

#include "base/cpp_text/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace kv::grader {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 27> kLongSymbols = {
    "<<<", ">>>", "<=>", "<<=", ">>=", "->*", "...", "::", "->", "++", "--", "<<", "<=", ">=",
    "==",  "!=",  "&&",  "||",  "+=",  "-=",  "*=",  "/=", "%=", "&=", "|=", "^=", "##"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

bool is_raw_prefix(std::string_view word) {
  return word == "R" || word == "u8R" || word == "uR" || word == "UR" || word == "LR";
}

// The end of the first `mark` at or after `from`; the end of `rest` if there is none.
std::size_t end_of(std::string_view mark, std::string_view rest, std::size_t from) {
  const std::size_t at = rest.find(mark, from);
  return at == rest.npos ? rest.size() : at + mark.size();
}

// A line comment or a directive; a backslash at the end of the line continues it.
std::size_t line_length(std::string_view rest) {
  std::size_t length = rest.find('\n');
  while (length != rest.npos && rest[length - 1] == '\\') length = rest.find('\n', length + 1);
  return std::min(length, rest.size());
}

// How many characters at the beginning of `rest` are not a token.
std::size_t gap_length(std::string_view rest, Directives directives) {
  if (std::isspace(static_cast<unsigned char>(rest[0])) != 0 || rest[0] == '\\') return 1;
  if (rest.starts_with("//")) return line_length(rest);
  if (rest.starts_with("/*")) return end_of("*/", rest, 2);
  return rest[0] == '#' && directives == Directives::kSkip ? line_length(rest) : 0;
}

// Why the end of the line ends it: the apostrophe in "#error don't" begins no character.
std::size_t quoted_length(std::string_view rest) {
  std::size_t length = 1;
  while (length < rest.size() && rest[length] != rest[0] && rest[length] != '\n') {
    length += rest[length] == '\\' ? 2 : 1;
  }
  return std::min(length + 1, rest.size());
}

// R"mark( ... )mark"
std::size_t raw_length(std::string_view rest, std::size_t prefix) {
  const std::size_t open = rest.find('(', prefix);
  if (open == rest.npos) return rest.size();
  const std::string_view mark = rest.substr(prefix + 1, open - prefix - 1);
  return end_of(")" + std::string(mark) + "\"", rest, open);
}

std::size_t word_length(std::string_view rest) {
  const auto end = std::ranges::find_if_not(rest, is_word);
  return static_cast<std::size_t>(end - rest.begin());
}

// 1'000 and 0x1.8p3 are one number each.
std::size_t number_length(std::string_view rest) {
  std::size_t length = 1;
  const auto has_word_at = [&](std::size_t i) { return i < rest.size() && is_word(rest[i]); };
  while (has_word_at(length) || (length < rest.size() && rest[length] == '.') ||
         (length < rest.size() && rest[length] == '\'' && has_word_at(length + 1))) {
    ++length;
  }
  return length;
}

std::size_t symbol_length(std::string_view rest) {
  const auto found =
      std::ranges::find_if(kLongSymbols, [&](auto symbol) { return rest.starts_with(symbol); });
  return found == kLongSymbols.end() ? 1 : found->size();
}

Token next_token(std::string_view rest, std::size_t begin) {
  const auto token = [&](TokenKind kind, std::size_t length) {
    return Token{kind, rest.substr(0, length), begin};
  };
  if (rest[0] == '"' || rest[0] == '\'') return token(TokenKind::kLiteral, quoted_length(rest));
  if (!is_word(rest[0])) return token(TokenKind::kSymbol, symbol_length(rest));
  if (is_digit(rest[0])) return token(TokenKind::kNumber, number_length(rest));
  const std::size_t length = word_length(rest);
  const bool is_raw = is_raw_prefix(rest.substr(0, length)) && rest.substr(length).starts_with('"');
  return is_raw ? token(TokenKind::kLiteral, raw_length(rest, length))
                : token(TokenKind::kWord, length);
}

}  // namespace

std::vector<Token> tokenize(std::string_view source,
                            std::size_t begin,
                            std::size_t end,
                            Directives directives) {
  std::vector<Token> tokens;
  while (begin < end) {
    const std::string_view rest = source.substr(begin, end - begin);
    std::size_t length = gap_length(rest, directives);
    if (length == 0) {
      tokens.push_back(next_token(rest, begin));
      length = tokens.back().text.size();
    }
    begin += length;
  }
  return tokens;
}

std::vector<Token> tokenize(std::string_view source, Directives directives) {
  return tokenize(source, 0, source.size(), directives);
}

int nesting(std::string_view symbol) {
  if (symbol == "(" || symbol == "[" || symbol == "{") return 1;
  return symbol == ")" || symbol == "]" || symbol == "}" ? -1 : 0;
}

std::size_t matching_bracket(std::span<const Token> tokens, std::size_t i, int step) {
  int depth = 0;
  for (; i < tokens.size(); i += static_cast<std::size_t>(step)) {
    depth += nesting(tokens[i].text);
    if (depth == 0) return i;
  }
  return tokens.size();
}

}  // namespace kv::grader

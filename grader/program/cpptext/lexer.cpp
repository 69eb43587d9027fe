#include "grader/program/cpptext/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kv::grader::mutate {
namespace {

// Longest first: "<=" is no "<".
constexpr std::array<std::string_view, 25> kLongMarks = {
    "<=>", "<<=", ">>=", "->*", "...", "::", "->", "++", "--", "<<", "<=", ">=", "==",
    "!=",  "&&",  "||",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "##"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// How many characters from the beginning of `rest` are no token: a blank, a comment, a directive.
std::size_t length_of_gap(std::string_view rest) {
  const auto up_to = [&](std::string_view end, std::size_t more) {
    return std::min(rest.size(), rest.find(end) == rest.npos ? rest.size() : rest.find(end) + more);
  };
  if (std::isspace(static_cast<unsigned char>(rest[0])) != 0) return 1;
  if (rest.starts_with("//") || rest[0] == '#') return up_to("\n", 0);
  if (rest.starts_with("/*")) return up_to("*/", 2);
  return 0;
}

std::size_t length_of_text(std::string_view rest) {
  std::size_t length = 1;
  while (length < rest.size() && rest[length] != rest[0]) length += rest[length] == '\\' ? 2 : 1;
  return length + 1;
}

std::size_t length_of_mark(std::string_view rest) {
  const auto begins = [&](std::string_view mark) { return rest.starts_with(mark); };
  const auto mark = std::ranges::find_if(kLongMarks, begins);
  return mark == kLongMarks.end() ? 1 : mark->size();
}

Token next_token(std::string_view rest, std::size_t begin) {
  const auto token = [&](TokenKind kind, std::size_t length) {
    return Token{kind, rest.substr(0, length), begin};
  };
  if (rest[0] == '"' || rest[0] == '\'') return token(TokenKind::kText, length_of_text(rest));
  if (!is_word(rest[0])) return token(TokenKind::kMark, length_of_mark(rest));
  const auto is_part = [&](char c) { return is_word(c) || (is_digit(rest[0]) && c == '\''); };
  const auto end = std::ranges::find_if_not(rest, is_part);
  return token(is_digit(rest[0]) ? TokenKind::kNumber : TokenKind::kWord,
               static_cast<std::size_t>(end - rest.begin()));
}

}  // namespace

std::vector<Token> tokens_of(std::string_view source, std::size_t begin, std::size_t end) {
  std::vector<Token> tokens;
  while (begin < end) {
    const std::string_view rest = source.substr(begin, end - begin);
    std::size_t length = length_of_gap(rest);
    if (length == 0) {
      tokens.push_back(next_token(rest, begin));
      length = tokens.back().text.size();
    }
    begin += length;
  }
  return tokens;
}

}  // namespace kv::grader::mutate

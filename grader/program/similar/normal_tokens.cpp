#include "grader/program/similar/normal_tokens.h"

#include <algorithm>
#include <array>
#include <functional>

#include "grader/program/cpptext/lexer.h"

namespace kv::grader::similar {
namespace {

// Words that steer a program. All other words are names, the built-in types and `auto`, too.
constexpr std::array<std::string_view, 30> kKeywords = {
    "and",      "break", "case",    "catch",    "class",  "continue", "default", "delete",
    "do",       "else",  "enum",    "false",    "for",    "goto",     "if",      "new",
    "not",      "or",    "nullptr", "operator", "return", "sizeof",   "struct",  "switch",
    "template", "throw", "true",    "try",      "using",  "while"};

// A text can have them or not, and means the same.
constexpr std::array<std::string_view, 12> kDropped = {"{",         "}",        "::",       "const",
                                                       "constexpr", "inline",   "static",   "std",
                                                       "kv",        "noexcept", "typename", "this"};

template <std::size_t size>
bool is_one_of(const std::array<std::string_view, size>& words, const Token& token) {
  return std::ranges::count(words, token.text) > 0;
}

std::vector<Token> without_dropped(std::string_view source) {
  std::vector<Token> kept;
  bool is_behind_this = false;
  for (const Token& token : tokenize(source, Directives::kSkip)) {
    const bool is_arrow_of_this = is_behind_this && token.is("->");
    is_behind_this = token.is("this");
    if (!is_arrow_of_this && !is_one_of(kDropped, token)) kept.push_back(token);
  }
  return kept;
}

// Where no variable or parameter can be: what is called, and what is taken from an object.
bool is_call_or_member(const std::vector<Token>& tokens, std::size_t i) {
  if (tokens[i].kind != TokenKind::kWord || is_one_of(kKeywords, tokens[i])) return false;
  const bool is_member = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->"));
  return is_member || (i + 1 < tokens.size() && tokens[i + 1].is("("));
}

// What a token counts as.
std::string_view form_of(const std::vector<Token>& tokens, std::size_t i, const KeptNames& kept) {
  const Token& token = tokens[i];
  if (token.kind == TokenKind::kSymbol) return token.text;
  if (token.kind == TokenKind::kNumber) return "0";
  if (token.kind == TokenKind::kLiteral) return "\"\"";
  if (is_one_of(kKeywords, token)) return token.text;
  return is_call_or_member(tokens, i) && kept.contains(token.text) ? token.text : "name";
}

}  // namespace

void add_kept_names(std::string_view source, KeptNames& names) {
  const std::vector<Token> tokens = without_dropped(source);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (is_call_or_member(tokens, i)) names.emplace(tokens[i].text);
  }
}

std::vector<NormalToken> normal_tokens(std::string_view source, const KeptNames& kept) {
  const std::vector<Token> tokens = without_dropped(source);
  std::vector<NormalToken> normal;
  normal.reserve(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::size_t hash = std::hash<std::string_view>{}(form_of(tokens, i, kept));
    normal.push_back({.code = static_cast<std::uint32_t>(hash ^ (hash >> 32)),
                      .begin = static_cast<std::uint32_t>(tokens[i].begin),
                      .length = static_cast<std::uint32_t>(tokens[i].text.size())});
  }
  return normal;
}

}  // namespace kv::grader::similar

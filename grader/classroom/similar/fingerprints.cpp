#include "grader/classroom/similar/fingerprints.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "base/cpp_text/lexer.h"

namespace kv::grader::similar {
namespace {

enum class Role { kName, kKeyword, kDropped };

// kKeyword: a word that steers a program. All other words are names, the built-in types and `auto`,
// too. kDropped: a text can have it or not, and means the same.
Role role_of(const Token& token) {
  using enum Role;
  static const std::unordered_map<std::string_view, Role> kRoles = {
      {"and", kKeyword},     {"break", kKeyword},     {"case", kKeyword},    {"catch", kKeyword},
      {"class", kKeyword},   {"continue", kKeyword},  {"default", kKeyword}, {"delete", kKeyword},
      {"do", kKeyword},      {"else", kKeyword},      {"enum", kKeyword},    {"false", kKeyword},
      {"for", kKeyword},     {"goto", kKeyword},      {"if", kKeyword},      {"new", kKeyword},
      {"not", kKeyword},     {"nullptr", kKeyword},   {"or", kKeyword},      {"return", kKeyword},
      {"sizeof", kKeyword},  {"struct", kKeyword},    {"switch", kKeyword},  {"template", kKeyword},
      {"throw", kKeyword},   {"true", kKeyword},      {"try", kKeyword},     {"using", kKeyword},
      {"while", kKeyword},   {"{", kDropped},         {"}", kDropped},       {"::", kDropped},
      {"const", kDropped},   {"constexpr", kDropped}, {"inline", kDropped},  {"static", kDropped},
      {"std", kDropped},     {"kv", kDropped},        {"this", kDropped},    {"noexcept", kDropped},
      {"typename", kDropped}};
  const auto found = kRoles.find(token.text);
  return found == kRoles.end() ? kName : found->second;
}

std::vector<Token> without_dropped(std::string_view source) {
  std::vector<Token> kept;
  bool is_after_this = false;
  for (const Token& token : tokenize(source, Directives::kSkip)) {
    const bool is_arrow_of_this = is_after_this && token.is("->");
    is_after_this = token.is("this");
    if (!is_arrow_of_this && role_of(token) != Role::kDropped) kept.push_back(token);
  }
  return kept;
}

// Where no variable or parameter can be: what is called, and what is taken from an object.
bool is_call_or_member(const std::vector<Token>& tokens, std::size_t i) {
  if (tokens[i].kind != TokenKind::kWord || role_of(tokens[i]) != Role::kName) return false;
  const bool is_member = i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->"));
  return is_member || (i + 1 < tokens.size() && tokens[i + 1].is("("));
}

// What a token counts as.
std::string_view form_of(const std::vector<Token>& tokens, std::size_t i, const KeptNames& kept) {
  const Token& token = tokens[i];
  if (token.kind == TokenKind::kSymbol) return token.text;
  if (token.kind == TokenKind::kNumber) return "0";
  if (token.kind == TokenKind::kLiteral) return "\"\"";
  if (role_of(token) == Role::kKeyword) return token.text;
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

namespace {

constexpr std::uint64_t kBase = 0x9e3779b97f4a7c15;

constexpr std::uint64_t power_of_base(std::size_t exponent) {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < exponent; ++i) power *= kBase;
  return power;
}

// Why: which hash is the smallest must not depend on the last tokens alone.
std::uint64_t mixed(std::uint64_t sum) {
  sum = (sum ^ (sum >> 31)) * 0xbf58476d1ce4e5b9;
  return sum ^ (sum >> 29);
}

}  // namespace

std::vector<std::uint64_t> gram_hashes(std::span<const NormalToken> tokens) {
  constexpr std::uint64_t kOldest = power_of_base(kGramTokens);
  std::vector<std::uint64_t> hashes;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    sum = sum * kBase + tokens[i].code;
    if (i >= kGramTokens) sum -= kOldest * tokens[i - kGramTokens].code;
    if (i + 1 >= kGramTokens) hashes.push_back(mixed(sum));
  }
  return hashes;
}

// If hashes are equal, the last one of a window is taken, unless an earlier one was taken already.
std::vector<Fingerprint> winnow(std::span<const std::uint64_t> grams) {
  std::vector<Fingerprint> chosen;
  if (grams.empty()) return chosen;
  const std::size_t width = std::min(kWindowGrams, grams.size());
  for (std::size_t begin = 0; begin + width <= grams.size(); ++begin) {
    std::size_t smallest = begin;
    for (std::size_t i = begin; i < begin + width; ++i) {
      if (grams[i] <= grams[smallest]) smallest = i;
    }
    const bool is_chosen =
        !chosen.empty() && chosen.back().first >= begin && chosen.back().hash == grams[smallest];
    if (!is_chosen) chosen.push_back({grams[smallest], smallest});
  }
  return chosen;
}

}  // namespace kv::grader::similar

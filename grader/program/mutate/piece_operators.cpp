#include <algorithm>

#include "grader/program/mutate/operators.h"

namespace kv::grader::mutate {
namespace {

constexpr std::array<std::string_view, 11> kNoSimpleStatement = {
    "if", "for", "while", "do", "else", "switch", "try", "catch", "case", "default", ";"};
constexpr std::array<std::string_view, 5> kDefaults = {"{}", "nullptr", "std::nullopt", "false",
                                                       "0"};

void decide(const Code& code, std::size_t first, std::size_t last, Edits& edits) {
  replace(code, first, last, "!(" + std::string(code.text(first, last)) + ")", edits);
  replace(code, first, last, "true", edits);
  replace(code, first, last, "false", edits);
}

// Where the condition of the "?" at `mark` begins.
std::size_t begin_of_choice(const Code& code, std::size_t mark) {
  constexpr std::array<std::string_view, 8> kBefore = {"=", "return", "(", "[", "{", ",", ";", "}"};
  std::size_t i = mark;
  int depth = 0;
  while (i > 0) {
    const Token& token = code.tokens[i - 1];
    const bool ends = std::ranges::count(kBefore, token.text) > 0;
    if (depth == 0 && ends) break;
    depth += token.is(")") || token.is("]") ? 1 : token.is("(") || token.is("[") ? -1 : 0;
    --i;
  }
  return i;
}

}  // namespace

void condition(const Code& code, Edits& edits) {
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    if (code.is(i, "?")) decide(code, begin_of_choice(code, i), i - 1, edits);
    const bool is_loop = code.is(i, "for");
    if (!is_loop && !code.is(i, "if") && !code.is(i, "while")) continue;
    const std::size_t last = code.closing(i + 1) - 1;
    const std::size_t tested = is_loop ? code.find(i + 2, last, ";") + 1 : i + 2;
    const std::size_t stepped = is_loop ? code.find(tested, last, ";") : last + 1;
    if (tested < stepped) decide(code, tested, stepped - 1, edits);
  }
}

void statement(const Code& code, Edits& edits) {
  for (const std::size_t first : code.statements()) {
    const auto end = code.find(first, code.tokens.size() - 1, ";");
    if (std::ranges::count(kNoSimpleStatement, code.tokens[first].text) > 0) continue;
    if (code.is(first, "return") && end > first + 1) continue;  // see `result`
    if (end < code.tokens.size()) replace(code, first, end, ";", edits);
  }
}

void block(const Code& code, Edits& edits) {
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    if (code.opens_block(i)) replace(code, i, code.closing(i), "{}", edits);
  }
}

void result(const Code& code, Edits& edits) {
  for (std::size_t i = 0; i < code.tokens.size(); ++i) {
    if (!code.is(i, "return") || code.is(i + 1, ";")) continue;
    const std::size_t last = code.find(i + 1, code.tokens.size() - 1, ";") - 1;
    if (std::ranges::count(kDefaults, code.text(i + 1, last)) > 0) continue;
    replace(code, i + 1, last, "{}", edits);
  }
}

}  // namespace kv::grader::mutate

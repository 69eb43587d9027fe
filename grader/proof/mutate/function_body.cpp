#include "grader/proof/mutate/function_body.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/cpp_text/functions.h"

namespace kv::grader::mutate {
namespace {

constexpr std::array<std::string_view, 5> kBeforeBlock = {")", "]", "else", "do", "try"};

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool opens(const Token& token) {
  return nesting(token.text) > 0;
}

bool closes(const Token& token) {
  return nesting(token.text) < 0;
}

// Is this nothing, or void? The bounds of a kernel's launch are between its void and its name.
bool is_nothing(std::string_view result) {
  result = result.substr(0, result.find("__launch_bounds__"));
  while (result.ends_with(' ') || result.ends_with('\n')) result.remove_suffix(1);
  return result.empty() || result.ends_with("void");
}

}  // namespace

std::string_view FunctionBody::text(std::size_t first, std::size_t last) const {
  return source.substr(tokens[first].begin, tokens[last].end() - tokens[first].begin);
}

bool FunctionBody::is(std::size_t i, std::string_view text) const {
  return i < tokens.size() && tokens[i].is(text);
}

bool FunctionBody::is_binary(std::size_t i) const {
  return is_blank(source[tokens[i].begin - 1]) && is_blank(source[tokens[i].end()]);
}

std::size_t FunctionBody::closing(std::size_t open) const {
  return std::min(matching_bracket(tokens, open, 1), tokens.size() - 1);
}

std::size_t FunctionBody::opening(std::size_t close) const {
  return std::min(matching_bracket(tokens, close, -1), close);
}

std::size_t FunctionBody::find(std::size_t first, std::size_t last, std::string_view mark) const {
  std::size_t i = first;
  while (i <= last && !is(i, mark)) i = (opens(tokens[i]) ? closing(i) : i) + 1;
  return std::min(i, last + 1);
}

bool FunctionBody::opens_block(std::size_t i) const {
  return is(i, "{") && i > 0 && std::ranges::count(kBeforeBlock, tokens[i - 1].text) > 0;
}

std::vector<std::size_t> FunctionBody::statements() const {
  std::vector<std::size_t> starts;
  std::vector<std::size_t> open = {};  // brackets around the token
  bool may_start = true;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (may_start && !closes(tokens[i])) starts.push_back(i);
    if (opens(tokens[i])) open.push_back(i);
    bool ends_head = false;
    if (closes(tokens[i]) && !open.empty()) {
      const std::size_t before = open.back() - 1;
      ends_head = is(before, "if") || is(before, "while") || is(before, "for");
      open.pop_back();
    }
    const bool among_statements = open.empty() || opens_block(open.back());
    may_start = among_statements && (is(i, ";") || is(i, "{") || is(i, "}") || is(i, "else") ||
                                     is(i, "do") || ends_head);
  }
  return starts;
}

std::size_t FunctionBody::end_of_statement(std::size_t first) const {
  if (is(first, "{")) return closing(first);
  if (is(first, "try")) {
    std::size_t last = closing(first + 1);
    while (is(last + 1, "catch")) last = closing(closing(last + 2) + 1);
    return last;
  }
  if (is(first, "if") || is(first, "for") || is(first, "while") || is(first, "switch")) {
    const std::size_t head = is(first + 1, "constexpr") ? first + 2 : first + 1;
    const std::size_t last = end_of_statement(closing(head) + 1);
    return is(first, "if") && is(last + 1, "else") ? end_of_statement(last + 2) : last;
  }
  const std::size_t from = is(first, "do") ? end_of_statement(first + 1) : first;
  return std::min(find(from, tokens.size() - 1, ";"), tokens.size() - 1);
}

std::vector<Statement> FunctionBody::statements_between(std::size_t first,
                                                        std::size_t limit) const {
  std::vector<Statement> found;
  while (first < limit) {
    found.push_back({first, end_of_statement(first)});
    first = found.back().last + 1;
  }
  return found;
}

std::vector<Statement> FunctionBody::statements_in(std::size_t open) const {
  return statements_between(open + 1, closing(open));
}

std::vector<std::vector<Statement>> FunctionBody::blocks() const {
  std::vector<std::vector<Statement>> found = {statements_between(0, tokens.size())};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (opens_block(i)) found.push_back(statements_in(i));
  }
  return found;
}

std::vector<FunctionBody> function_bodies(std::string_view source) {
  std::vector<FunctionBody> bodies;
  for (const FunctionText& function : all_functions(source)) {
    const std::size_t begin = function.body_begin;
    const std::size_t end = function.body_end;
    if (begin == end) continue;
    bodies.push_back({.source = source,
                      .function = function.name,
                      .returns_nothing = is_nothing(function.result),
                      .begin = begin,
                      .end = end,
                      .tokens = tokenize(source, begin, end, Directives::kSkip)});
  }
  return bodies;
}

}  // namespace kv::grader::mutate

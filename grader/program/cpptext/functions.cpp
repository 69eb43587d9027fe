#include "grader/program/cpptext/functions.h"

#include <algorithm>
#include <array>
#include <span>

#include "grader/program/base/text.h"
#include "grader/program/cpptext/lexer.h"

namespace kv::grader {
namespace {

using Tokens = std::span<const Token>;

// Words that a "(" may follow without being the name of a function.
constexpr std::array<std::string_view, 5> kNoNames = {"decltype", "alignas", "requires",
                                                      "__attribute__", "__launch_bounds__"};

bool begins_type(const Token& token) {
  return token.is("struct") || token.is("class") || token.is("enum") || token.is("union");
}

bool opens_namespace(Tokens declaration) {
  if (declaration.empty()) return false;
  const bool is_inline = declaration.size() > 1 && declaration[0].is("inline");
  const bool is_extern = declaration.size() == 2 && declaration[0].is("extern");  // extern "C"
  return is_extern || declaration[is_inline ? 1 : 0].is("namespace");
}

// The index behind "template <...>" at `i`; `i` itself if there is none.
std::size_t after_template_header(Tokens tokens, std::size_t i) {
  if (i + 1 >= tokens.size() || !tokens[i].is("template") || !tokens[i + 1].is("<")) return i;
  int depth = 0;
  for (++i; i < tokens.size(); ++i) {
    if (tokens[i].is("<")) ++depth;
    if (tokens[i].is(">")) --depth;
    if (tokens[i].is(">>>")) depth -= 3;
    if (depth <= 0) return i + 1;
  }
  return i;
}

// The token before a parameter list: `get`, or the ">" of `get<int>`.
bool may_end_name(const Token& token) {
  const bool is_word =
      token.kind == TokenKind::kWord && std::ranges::count(kNoNames, token.text) == 0;
  return is_word || token.is(">");
}

// Where the parameter list opens; declaration.size() if this declares no function.
std::size_t parameter_list(Tokens declaration) {
  int depth = 0;  // of template arguments
  for (std::size_t i = 0; i < declaration.size(); ++i) {
    const Token& token = declaration[i];
    if (token.is("=") || (i == 0 && begins_type(token))) break;
    if (token.is("operator")) {
      const auto from = declaration.begin() + static_cast<std::ptrdiff_t>(i) + 2;
      const auto open = std::find_if(from, declaration.end(), [](auto& t) { return t.is("("); });
      return static_cast<std::size_t>(open - declaration.begin());
    }
    depth += token.is("<") ? 1 : token.is(">") ? -1 : token.is(">>>") ? -3 : 0;
    if (token.is("(") && depth == 0 && i > 0 && may_end_name(declaration[i - 1])) return i;
    if (nesting(token.text) > 0) i = matching_bracket(declaration, i, 1);
  }
  return declaration.size();
}

// Does the "{" behind the declaration begin the body? Else it initializes a member: `: list_{}`.
bool begins_body(Tokens declaration, std::size_t parameters) {
  const Tokens behind = declaration.subspan(parameters);
  const bool in_initializers =
      std::ranges::any_of(behind, [](const Token& token) { return token.is(":"); });
  return !in_initializers || behind.back().is(")") || behind.back().is("}");
}

// The brace that closes the body that opens at `open`, or the last handler of a function-try-block.
std::size_t end_of_body(Tokens tokens, std::size_t open) {
  std::size_t close = matching_bracket(tokens, open, 1);
  while (close + 2 < tokens.size() && tokens[close + 1].is("catch")) {
    close = matching_bracket(tokens, matching_bracket(tokens, close + 2, 1) + 1, 1);
  }
  return close;
}

FunctionText function_text(std::string_view source,
                           const Token& first,
                           const Token& parameters,
                           const Token& open,
                           const Token& close) {
  const std::string_view before = source.substr(first.begin, parameters.begin - first.begin);
  const std::size_t name = before.find_last_of(" *&\n") + 1;  // npos + 1 is 0
  const std::size_t begin = source.rfind('\n', first.begin) + 1;
  const std::size_t end = std::min(source.find('\n', close.begin), source.size());
  FunctionText function{.name = std::string(before.substr(name)),
                        .result = std::string(before.substr(0, name)),
                        .lines = split_lines(source.substr(begin, end - begin)),
                        .body_begin = source.find('\n', open.begin) + 1,
                        .body_end = source.rfind('\n', close.begin) + 1};
  function.result.erase(function.result.find_last_not_of(" \n") + 1);
  function.body_begin = std::min(function.body_begin, function.body_end);
  return function;
}

}  // namespace

std::vector<FunctionText> all_functions(std::string_view source) {
  const std::vector<Token> all = tokenize(source, Directives::kSkip);
  const Tokens tokens = all;
  std::vector<FunctionText> functions;
  std::size_t start = 0;  // of the declaration
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (i == start) i = start = after_template_header(tokens, i);
    if (i == tokens.size()) break;
    const Tokens declaration = tokens.subspan(start, i - start);
    const bool is_brace = tokens[i].is("{");
    if (tokens[i].is(";") || tokens[i].is("}") || (is_brace && opens_namespace(declaration))) {
      start = i + 1;
      continue;
    }
    if (nesting(tokens[i].text) <= 0) continue;
    const std::size_t close = is_brace ? end_of_body(tokens, i) : matching_bracket(tokens, i, 1);
    if (close == tokens.size()) break;
    const std::size_t parameters = is_brace ? parameter_list(declaration) : declaration.size();
    if (parameters < declaration.size() && begins_body(declaration, parameters)) {
      functions.push_back(
          function_text(source, tokens[start], declaration[parameters], tokens[i], tokens[close]));
      start = close + 1;
    }
    i = close;
  }
  return functions;
}

std::optional<FunctionText> find_function(std::string_view source, const std::string& name) {
  for (FunctionText& function : all_functions(source)) {
    if (function.name == name || function.name.ends_with("::" + name)) return std::move(function);
  }
  return std::nullopt;
}

}  // namespace kv::grader

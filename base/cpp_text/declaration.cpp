#include "base/cpp_text/declaration.h"

#include <algorithm>
#include <array>

namespace kv::grader {
namespace {

// The token before a parameter list: `get`, or the ">" of `get<int>`.
bool may_end_name(const Token& token) {
  return (token.kind == TokenKind::kWord && !takes_arguments(token.text)) || token.is(">");
}

}  // namespace

bool takes_arguments(std::string_view word) {
  constexpr std::array<std::string_view, 9> kWords = {
      "decltype",          "alignas",     "requires",         "explicit", "__attribute__",
      "__launch_bounds__", "__maxnreg__", "__cluster_dims__", "__align__"};
  return std::ranges::count(kWords, word) > 0;
}

bool begins_type(const Token& token) {
  return token.is("struct") || token.is("class") || token.is("enum") || token.is("union");
}

bool opens_namespace(Tokens declaration) {
  if (declaration.empty()) return false;
  const bool is_inline = declaration.size() > 1 && declaration[0].is("inline");
  const bool is_extern = declaration.size() == 2 && declaration[0].is("extern");  // extern "C"
  return is_extern || declaration[is_inline ? 1 : 0].is("namespace");
}

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

std::size_t parameter_list(Tokens declaration) {
  int depth = 0;  // lists of template arguments that are open
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

bool begins_body(Tokens declaration, std::size_t parameters) {
  const Tokens rest = declaration.subspan(parameters);
  const bool in_initializers =
      std::ranges::any_of(rest, [](const Token& token) { return token.is(":"); });
  return !in_initializers || rest.back().is(")") || rest.back().is("}");
}

std::size_t end_of_body(Tokens tokens, std::size_t open) {
  std::size_t close = matching_bracket(tokens, open, 1);
  while (close + 2 < tokens.size() && tokens[close + 1].is("catch")) {
    close = matching_bracket(tokens, matching_bracket(tokens, close + 2, 1) + 1, 1);
  }
  return close;
}

}  // namespace kv::grader

#include "base/cpp_text/functions.h"

#include <algorithm>

#include "base/cpp_text/declaration.h"
#include "base/text/text.h"

namespace kv::grader {
namespace {

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
                        .begin = first.begin,
                        .open = open.begin,
                        .close = close.begin,
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
  std::size_t start = 0;  // the first token of the declaration
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

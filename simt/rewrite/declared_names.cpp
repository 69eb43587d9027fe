#include <algorithm>
#include <cctype>

#include "base/cpp_text/declaration.h"
#include "simt/rewrite/function_sides.h"
#include "simt/rewrite/refusals.h"

namespace kv::simt {
namespace {

using grader::FunctionText;
using grader::Token;
using Tokens = std::vector<Token>;

bool has(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

// The function that __global__ or __device__ at `i` declares; empty: a variable, or a lambda.
std::string declared_function(const Tokens& tokens, std::size_t i) {
  if (i > 0 && tokens[i - 1].is("]")) return "";
  for (; i + 1 < tokens.size(); ++i) {
    const Token& next = tokens[i + 1];
    if (next.is(";") || next.is("=") || next.is("{") || next.is("[")) return "";
    if (!next.is("(")) continue;
    if (!grader::takes_arguments(tokens[i].text))
      return is_word(tokens[i]) ? std::string(tokens[i].text) : "";
    i = grader::matching_bracket(tokens, i + 1, 1) - 1;
  }
  return "";
}

// "const float weights[4] = {...};" outside of functions and classes, and of no keyword of CUDA.
std::string declared_array(const Tokens& tokens, std::size_t i) {
  std::string name;
  for (; i < tokens.size(); ++i) {
    const std::string_view text = tokens[i].text;
    if (text == "[" && i + 1 < tokens.size() && tokens[i + 1].is("[")) {  // [[maybe_unused]]
      i = grader::matching_bracket(tokens, i, 1);
      continue;
    }
    if (text == "[" && i > 0 && is_word(tokens[i - 1])) name = std::string(tokens[i - 1].text);
    if (text == "=" || text == ";" || text == "{" || text == "[") return name;
    if (text == "(" || text.starts_with("__") || text == "using" || text == "typedef") return "";
  }
  return "";
}

bool opens_scope_of_names(const Tokens& tokens, std::size_t brace) {
  std::size_t i = brace;
  while (i > 0 && (is_word(tokens[i - 1]) || tokens[i - 1].is("::"))) --i;
  const bool is_c = brace > 0 && tokens[brace - 1].is("\"C\"");
  return is_c || (i < brace && tokens[i].is("namespace"));
}

// Outside of functions and classes.
void collect_declarations(const Tokens& tokens, DeclaredNames& names) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("{") && !opens_scope_of_names(tokens, i)) {
      i = grader::matching_bracket(tokens, i, 1);
      continue;
    }
    if (tokens[i].is("(") && i > 0) names.prototypes.insert(std::string(tokens[i - 1].text));
    const bool begins =
        i == 0 || tokens[i - 1].is(";") || tokens[i - 1].is("}") || tokens[i - 1].is("{");
    if (!begins) continue;
    if (const std::string name = declared_array(tokens, i); !name.empty()) {
      names.host_arrays.insert(name);
    }
  }
}

// The words of a function's body.
std::set<std::string> words_of(std::string_view source, const FunctionText& function) {
  std::set<std::string> words;
  for (const Token& token :
       grader::tokenize(source, function.open, function.close, grader::Directives::kSkip)) {
    if (is_word(token)) words.emplace(token.text);
  }
  return words;
}

}  // namespace

bool is_word(const Token& token) {
  return token.kind == grader::TokenKind::kWord;
}

bool has_macro(const std::string& text) {
  const Tokens words = grader::tokenize(text, grader::Directives::kSkip);
  return std::ranges::any_of(words, [](const Token& token) {
    return token.text.size() > 1 && std::isupper(token.text.front()) != 0 &&
           std::ranges::none_of(token.text, [](unsigned char c) { return std::islower(c) != 0; });
  });
}

bool is_kernel(const FunctionText& function) {
  return has(function.result, "__global__");
}
bool is_of_device(const FunctionText& function) {
  return has(function.result, "__device__") && !has(function.result, "__host__") &&
         !has_macro(function.result);
}
bool is_of_both_sides(const FunctionText& function) {
  return has(function.result, "__device__") && has(function.result, "__host__");
}
bool is_host_only(const FunctionText& function) {
  return !is_kernel(function) && !has(function.result, "__device__") &&
         !has(function.result, "constexpr") && !has_macro(function.result) &&
         !has(function.name, "::") && !has(function.name, "operator");
}

std::string plain_name(const FunctionText& function) {
  return function.name.substr(0, function.name.find('<'));
}

void collect_names(std::string_view source, DeclaredNames& names) {
  const Tokens tokens = grader::tokenize(source, grader::Directives::kSkip);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("__global__")) names.kernels.insert(declared_function(tokens, i));
    if (tokens[i].is("__device__")) names.device_functions.insert(declared_function(tokens, i));
    if (tokens[i].is("__host__")) names.host_callable.insert(declared_function(tokens, i));
  }
  for (const FunctionText& function : grader::all_functions(source)) {
    const std::string name = plain_name(function);
    if (is_host_only(function)) names.host_functions.insert(name);
    (is_of_device(function) ? names.device_only : names.host_callable).insert(name);
    if (is_of_both_sides(function)) names.both_sides[name].merge(words_of(source, function));
    if (is_of_device(function) || is_kernel(function))
      names.device_words.merge(words_of(source, function));
  }
  collect_declarations(tokens, names);
}

}  // namespace kv::simt

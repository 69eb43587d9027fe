#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <vector>

#include "base/cpp_text/declarations.h"

namespace kv::grader {
namespace {

using Words = std::vector<std::string>;

// They end a type, so they are never the name of a parameter.
constexpr std::array<std::string_view, 12> kTypeWords = {"const", "volatile", "void",   "bool",
                                                         "char",  "short",    "int",    "long",
                                                         "auto",  "float",    "double", "unsigned"};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::count(words, word) > 0;
}

// 1 for what opens a bracket or a list of template arguments, -1 for what closes one.
int depth_change(std::string_view symbol) {
  return symbol == "<" ? 1 : symbol == ">" ? -1 : symbol == ">>>" ? -3 : nesting(symbol);
}

// The first of these words from `first` on that is in no bracket; words.size() if there is none.
std::size_t find_outside(const auto& words,
                         std::size_t first,
                         std::initializer_list<std::string_view> wanted) {
  int depth = 0;
  for (std::size_t i = first; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (depth == 0 && is_one_of(word, wanted)) return i;
    depth += depth_change(word);
  }
  return words.size();
}

// Without attributes; a template parameter as its place.
Words words_of(Tokens tokens, const TemplateNames& names) {
  Words words;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("[") && i + 1 < tokens.size() && tokens[i + 1].is("[")) {
      i = matching_bracket(tokens, i, 1);
      continue;
    }
    const auto name = names.find(tokens[i].text);
    words.push_back(name == names.end() ? std::string(tokens[i].text) : name->second);
  }
  return words;
}

std::string as_text(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word + " ";
  return text;
}

// `T const&` as `const T&`.
void put_const_first(Words& type) {
  const std::size_t at = find_outside(type, 0, {"const", "*", "&", "&&"});
  if (at == 0 || at == type.size() || type[at] != "const") return;
  std::rotate(type.begin(), type.begin() + static_cast<std::ptrdiff_t>(at),
              type.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

// The last word, if it is the name of what is declared.
bool ends_with_name(const Words& words) {
  if (words.size() < 2 || std::ranges::count(kTypeWords, words.back()) > 0) return false;
  const std::string& before = words[words.size() - 2];
  const bool is_word = std::isalpha(static_cast<unsigned char>(words.back()[0])) != 0 ||
                       words.back()[0] == '_' || words.back()[0] == '$';
  const auto is_type = [](const std::string& word) {
    return word != "const" && word != "volatile";
  };
  return is_word && before != "::" && std::any_of(words.begin(), words.end() - 1, is_type);
}

// A const of the parameter itself, which callers do not see: `const int`, `T* const`.
void drop_own_const(Words& type) {
  const bool is_indirect = find_outside(type, 0, {"*", "&", "&&"}) < type.size();
  if (!is_indirect && !type.empty() && type.front() == "const") type.erase(type.begin());
  if (is_indirect && type.back() == "const") type.pop_back();
}

std::string parameter_form(Words parameter) {
  const std::size_t equals = find_outside(parameter, 0, {"="});
  const Words value(parameter.begin() + static_cast<std::ptrdiff_t>(equals), parameter.end());
  parameter.resize(equals);
  if (ends_with_name(parameter)) parameter.pop_back();
  put_const_first(parameter);
  drop_own_const(parameter);
  return as_text(parameter) + as_text(value) + ", ";
}

// The parameters between two brackets.
std::string parameters_form(const Words& words) {
  std::string form;
  for (std::size_t first = 0; first < words.size();) {
    const std::size_t comma = find_outside(words, first, {","});
    form += parameter_form(Words(words.begin() + static_cast<std::ptrdiff_t>(first),
                                 words.begin() + static_cast<std::ptrdiff_t>(comma)));
    first = comma + 1;
  }
  return form;
}

}  // namespace

std::string template_form(Tokens declaration, TemplateNames& names) {
  const std::size_t end = after_template_header(declaration, 0);
  if (end < 3) return "";
  Words words = words_of(declaration.subspan(2, end - 3), names);
  for (std::size_t first = 0; first < words.size();) {
    const std::size_t comma = find_outside(words, first, {","});
    const std::size_t name = std::min(find_outside(words, first, {"="}), comma) - 1;
    if (words[first] == "typename") words[first] = "class";
    const bool is_named = name > first && words[name] != "..." && words[name] != "class";
    if (is_named) names[words[name]] = "$" + std::to_string(names.size());
    first = comma + 1;
  }
  return "template <" + parameters_form(words) + "> ";
}

std::size_t end_of_signature(Tokens function, std::size_t parameters) {
  std::size_t i = std::min(matching_bracket(function, parameters, 1) + 1, function.size());
  for (; i < function.size(); ++i) {
    if (is_one_of(function[i].text, {":", "{", ";", "try"})) break;
    const bool is_assigned = function[i].is("=") && i + 1 < function.size();
    if (is_assigned) return function[i + 1].is("default") ? i : i + 2;
    if (nesting(function[i].text) > 0) i = matching_bracket(function, i, 1);
  }
  return std::min(i, function.size());
}

std::string function_form(Tokens function, std::size_t parameters, const TemplateNames& names) {
  Words head = words_of(function.first(parameters), names);
  std::erase_if(head, [](const auto& word) { return is_one_of(word, {"inline", "constexpr"}); });
  put_const_first(head);
  const std::size_t close = matching_bracket(function, parameters, 1);
  const Words inside = words_of(function.subspan(parameters + 1, close - parameters - 1), names);
  const std::size_t end = end_of_signature(function, parameters);
  Words rest = words_of(function.subspan(close + 1, end - close - 1), names);
  const auto noexcept_at = std::ranges::find(rest, "noexcept");
  if (noexcept_at != rest.end()) {
    const bool has_condition = noexcept_at + 1 != rest.end() && noexcept_at[1] == "(";
    rest.erase(noexcept_at,
               has_condition ? std::find(noexcept_at, rest.end(), ")") + 1 : noexcept_at + 1);
  }
  return as_text(head) + "( " + parameters_form(inside) + ") " + as_text(rest);
}

std::size_t initializer_of(Tokens variable) {
  std::vector<std::string_view> words;
  for (const Token& token : variable) words.push_back(token.text);
  return find_outside(words, 1, {"=", "{", "("});
}

std::string variable_form(Tokens variable, const TemplateNames& names) {
  const std::size_t at = initializer_of(variable);
  Words words = words_of(variable.first(at), names);
  std::erase(words, "inline");
  const auto has = [&](const char* word) { return std::ranges::count(words, word) > 0; };
  const bool is_constant = has("constexpr") || (has("static") && has("const"));
  put_const_first(words);
  Words value = words_of(variable.subspan(is_constant ? at : variable.size()), names);
  std::erase_if(value, [](const auto& word) { return is_one_of(word, {"=", "{", "}"}); });
  return as_text(words) + "= " + as_text(value);
}

std::string plain_form(Tokens declaration, const TemplateNames& names) {
  return as_text(words_of(declaration, names));
}

}  // namespace kv::grader

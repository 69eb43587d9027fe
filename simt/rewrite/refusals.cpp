#include "simt/rewrite/refusals.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/cpp_text/declaration.h"
#include "base/cpp_text/functions.h"
#include "base/cpp_text/lexer.h"
#include "simt/rewrite/device_code.h"

namespace kv::simt {
namespace {

using grader::FunctionText;
using grader::Token;
using Tokens = std::vector<Token>;

std::size_t line_of(std::string_view source, std::size_t offset) {
  return static_cast<std::size_t>(std::ranges::count(source.substr(0, offset), '\n')) + 1;
}

bool has(const std::string& text, std::string_view word) {
  return text.find(word) != std::string::npos;
}

// A name in capitals may be a macro that says __device__ or void.
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
bool is_host_only(const FunctionText& function) {
  return !is_kernel(function) && !has(function.result, "__device__") &&
         !has(function.result, "constexpr") && !has_macro(function.result) &&
         !has(function.name, "::") && !has(function.name, "operator");
}

std::string plain_name(const FunctionText& function) {
  return function.name.substr(0, function.name.find('<'));
}

bool is_word(const Token& token) {
  return token.kind == grader::TokenKind::kWord;
}

bool may_precede_expression(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {"return", "else", "do",   "case",
                                                      "and",    "or",   "throw"};
  return std::ranges::find(kWords, word) != kWords.end();
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

// One function's body, and the tokens of the function with its parameters.
class Body {
 public:
  Body(std::string_view source, const FunctionText& function, std::vector<Refusal>& refusals)
      : source_(source),
        tokens_(
            grader::tokenize(source, function.begin, function.close, grader::Directives::kSkip)),
        refusals_(refusals) {
    while (first_ < tokens_.size() && tokens_[first_].begin <= function.open) ++first_;
  }

  std::size_t first() const { return first_; }
  std::size_t size() const { return tokens_.size(); }
  const Token& operator[](std::size_t i) const { return tokens_[i]; }

  // A name of its own scope: not a member, not qualified, not declared in this function.
  bool is_free_name(std::size_t i) const {
    if (!is_word(tokens_[i]) || i == 0) return false;
    const Token& before = tokens_[i - 1];
    const bool is_qualified = before.is(".") || before.is("->") || before.is("::");
    const bool is_declared = is_word(before) && !may_precede_expression(before.text);
    return !is_qualified && !is_declared && !is_shadowed(tokens_[i].text);
  }

  // The token after name<...>, or after the name.
  std::size_t after_name(std::size_t i) const {
    if (i + 1 >= size() || !tokens_[i + 1].is("<")) return i + 1;
    for (std::size_t k = i + 2, depth = 1; k < std::min(size(), i + 40); ++k) {
      if (tokens_[k].is("<")) ++depth;
      if (tokens_[k].is(">") && --depth == 0) return k + 1;
      if (tokens_[k].is(";") || tokens_[k].is("{")) break;
    }
    return i + 1;
  }
  bool is(std::size_t i, std::string_view text) const { return i < size() && tokens_[i].is(text); }

  void refuse(std::size_t i, const char* kind, std::string what, std::string means) {
    refusals_.push_back(
        {kind, line_of(source_, tokens_[i].begin), std::move(what), std::move(means)});
  }

 private:
  bool is_shadowed(std::string_view name) const {
    for (std::size_t i = 1; i + 1 < size(); ++i) {
      if (!tokens_[i].is(name)) continue;
      const Token &before = tokens_[i - 1], &after = tokens_[i + 1];
      const bool has_type = (is_word(before) && !may_precede_expression(before.text)) ||
                            before.is("&") || before.is("*") || before.is(">");
      const bool ends = after.is("=") || after.is(";") || after.is(",") || after.is(")") ||
                        after.is("{") || after.is("[");
      if (has_type && ends && !(before.is("*") && after.is("["))) return true;
    }
    return false;
  }

  std::string_view source_;
  Tokens tokens_;
  std::size_t first_ = 0;  // token of the body
  std::vector<Refusal>& refusals_;
};

// Functions of the C and C++ libraries that device code has not.
bool is_library_of_host(const Body& body, std::size_t i) {
  constexpr std::array<std::string_view, 8> kFunctions = {"rand", "srand",  "exit",  "fprintf",
                                                          "puts", "getenv", "fopen", "scanf"};
  constexpr std::array<std::string_view, 9> kOfStd = {
      "vector", "string", "map", "unordered_map", "cout", "cerr", "sort", "rand", "exit"};
  const bool is_std = i > 1 && body.is(i - 1, "::") && body.is(i - 2, "std");
  if (is_std) return std::ranges::find(kOfStd, body[i].text) != kOfStd.end();
  return body.is(i + 1, "(") && body.is_free_name(i) &&
         std::ranges::find(kFunctions, body[i].text) != kFunctions.end();
}

void read_launch(Body& body, std::size_t i, const DeclaredNames& names) {
  const std::string name(body[i].text);
  const bool is_other =
      names.host_functions.contains(name) || names.device_functions.contains(name);
  if (!is_other || names.kernels.contains(name) || !body.is_free_name(i)) return;
  body.refuse(i, "not-a-kernel", "'" + name + "' is launched with <<<>>> and is no kernel",
              "nvcc refuses this: write __global__ before the function's void.");
}

void read_plain_call(Body& body, std::size_t i, const DeclaredNames& names) {
  const std::string name(body[i].text);
  if (!names.kernels.contains(name) || !body.is_free_name(i)) return;
  if (names.host_functions.contains(name) || names.device_functions.contains(name)) return;
  body.refuse(i, "kernel-without-launch", "the kernel '" + name + "' is called as a function",
              "nvcc refuses this: a kernel needs <<<blocks, threads>>> before its arguments.");
}

void read_host_call(Body& body, std::size_t i, const DeclaredNames& names) {
  const std::string name(body[i].text);
  const bool is_device = names.device_functions.contains(name) || names.kernels.contains(name);
  if (!names.host_functions.contains(name) || is_device || !body.is_free_name(i)) return;
  body.refuse(i, "host-function", "device code calls '" + name + "', a function of the host",
              "nvcc refuses this: write __device__ before the function, or __host__ __device__ if "
              "the host calls it too.");
}

void read_device_token(Body& body, std::size_t i, const DeclaredNames& names) {
  const std::string name(body[i].text);
  if (name == "throw" || name == "try") {
    body.refuse(i, "exception", "device code has a '" + name + "'",
                "nvcc refuses this: a kernel has no exceptions. Write an error code to memory, or "
                "use assert.");
  }
  if (is_library_of_host(body, i) && !names.device_functions.contains(name)) {
    body.refuse(i, "host-function", "device code uses '" + name + "' of the host's library",
                "nvcc refuses this: the library does not exist on the device.");
  }
  const bool is_constant_element =
      body.is(i + 1, "[") && body.is(i + 3, "]") && body[i + 2].kind == grader::TokenKind::kNumber;
  if (names.host_arrays.contains(name) && body.is_free_name(i) && !is_constant_element &&
      !body.is(i - 2, "sizeof")) {
    body.refuse(i, "host-variable", "device code uses '" + name + "', an array of the host",
                "nvcc refuses this: write __constant__ or __device__ before the array.");
  }
}

void read_body(Body body, bool is_device, const DeclaredNames& names) {
  for (std::size_t i = body.first(); i < body.size(); ++i) {
    if (!is_word(body[i])) continue;
    const std::size_t after = body.after_name(i);
    if (body.is(after, "<<<")) read_launch(body, i, names);
    if (body.is(after, "(")) read_plain_call(body, i, names);
    if (body.is(after, "(") && is_device) read_host_call(body, i, names);
    if (is_device) read_device_token(body, i, names);
  }
}

}  // namespace

void collect_names(std::string_view source, DeclaredNames& names) {
  const Tokens tokens = grader::tokenize(source, grader::Directives::kSkip);
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].is("__global__")) names.kernels.insert(declared_function(tokens, i));
    if (tokens[i].is("__device__")) names.device_functions.insert(declared_function(tokens, i));
  }
  for (const FunctionText& function : grader::all_functions(source)) {
    if (is_host_only(function)) names.host_functions.insert(plain_name(function));
  }
  collect_declarations(tokens, names);
}

std::vector<Refusal> find_refusals(std::string_view source, const DeclaredNames& names) {
  const EditedSource code(source, "");
  const DeviceCode device(code);
  std::vector<Refusal> refusals;
  for (const FunctionText& function : grader::all_functions(source)) {
    if (is_kernel(function) && !has(function.result, "void") && !has_macro(function.result)) {
      refusals.push_back({"kernel-returns-value", line_of(source, function.begin),
                          "the kernel '" + plain_name(function) + "' returns a value",
                          "nvcc refuses this: a kernel is void. Write the result to memory."});
    }
    const bool is_device = device.has_any(function.open, function.open + 1);
    read_body(Body(source, function, refusals), is_device, names);
  }
  std::ranges::stable_sort(refusals, {}, &Refusal::line);
  return refusals;
}

bool is_device_line(std::string_view source, std::size_t line) {
  std::size_t begin = 0;
  while (--line > 0 && begin < source.size()) begin = source.find('\n', begin) + 1;
  const EditedSource code(source, "");
  return DeviceCode(code).has_any(begin, std::min(source.find('\n', begin), source.size()));
}

Refusal refused_array(std::size_t line) {
  return {"variable-length-array", line, "device code has an array of variable length",
          "nvcc refuses this: the length has to be a constant, or the array extern __shared__."};
}

}  // namespace kv::simt

#include "simt/rewrite/refusals.h"

#include <algorithm>
#include <array>
#include <regex>

#include "base/cpp_text/lexer.h"
#include "simt/rewrite/device_code.h"
#include "simt/rewrite/function_sides.h"

namespace kv::simt {
namespace {

using grader::FunctionText;
using grader::Token;
using Tokens = std::vector<Token>;

std::size_t line_of(std::string_view source, std::size_t offset) {
  return static_cast<std::size_t>(std::ranges::count(source.substr(0, offset), '\n')) + 1;
}

bool may_precede_expression(std::string_view word) {
  constexpr std::array<std::string_view, 7> kWords = {"return", "else", "do",   "case",
                                                      "and",    "or",   "throw"};
  return std::ranges::find(kWords, word) != kWords.end();
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
  // The brace that closes the lambda with this qualifier.
  std::size_t lambda_end(std::size_t i) const {
    while (i < size() && !tokens_[i].is("{")) ++i;
    return i < size() ? grader::matching_bracket(tokens_, i, 1) : i;
  }

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

// Functions of CUDA that only device code calls. Those of halves are of both sides.
bool is_device_only_in_cuda(const std::string& name) {
  if (!name.starts_with("__") && !name.starts_with("atomic") && !name.starts_with("clock"))
    return false;
  static const std::regex form(
      "atomic(Add|Sub|Exch|Min|Max|And|Or|Xor|Inc|Dec|CAS)(_block|_system)?|clock64|"
      "__(syncthreads|syncwarp|threadfence|(shfl|ballot|any|all|match|reduce)_|activemask|popc|clz|"
      "ffs|fns|brev|byte_perm|funnelshift|ldg|ldc|stc|stw|nanosleep|trap|"
      "v(abs|add|avg|cmp|hadd|max|min|neg|sad|set|sub))\\w*|"
      "__(exp|exp10|log|log2|log10|sin|cos|tan|sincos|pow)f|"
      "__(int|uint|float|double|longlong)_as_\\w+|"
      "__(int|uint|ll|ull|float|double)2(int|uint|ll|ull|float|double)_r[nzdu]");
  return std::regex_match(name, form);
}

bool is_device_only(const std::string& name, const DeclaredNames& names) {
  if (names.host_callable.contains(name) || names.kernels.contains(name)) return false;
  return names.device_only.contains(name) || is_device_only_in_cuda(name);
}

void read_device_call(Body& body, std::size_t i, const DeclaredNames& names) {
  const std::string name(body[i].text);
  if (!is_device_only(name, names) || !body.is_free_name(i)) return;
  body.refuse(i, "device-function", "host code calls '" + name + "', a function of the device",
              "nvcc refuses this: call it in a kernel. If both sides need it, it is __host__ "
              "__device__.");
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

// What a body is read for; launches and calls of kernels are read in each.
struct Checks {
  bool is_device = false;     // only the device runs it
  bool host_calls = false;    // it must not call functions of the host
  bool device_calls = false;  // nor those of the device
};

void read_body(Body body, const Checks& checks, const DeclaredNames& names) {
  for (std::size_t i = body.first(); i < body.size(); ++i) {
    if (body.is(i, "__device__")) i = body.lambda_end(i);
    if (i == body.size() || !is_word(body[i])) continue;
    const std::size_t after = body.after_name(i);
    const bool is_call = body.is(after, "(");
    if (body.is(after, "<<<")) read_launch(body, i, names);
    if (is_call) read_plain_call(body, i, names);
    if (is_call && checks.device_calls) read_device_call(body, i, names);
    if (is_call && checks.host_calls) read_host_call(body, i, names);
    if (checks.is_device) read_device_token(body, i, names);
  }
}

// The functions of both sides that a kernel reaches.
std::set<std::string> used_by_kernels(const DeclaredNames& names) {
  std::set<std::string> used, words = names.device_words;
  for (std::size_t num_before = words.size() + 1; num_before != words.size();) {
    num_before = words.size();
    for (const auto& [name, its_words] : names.both_sides) {
      if (!words.contains(name)) continue;
      used.insert(name);
      words.insert(its_words.begin(), its_words.end());
    }
  }
  return used;
}

bool is_template(std::string_view source, const FunctionText& function) {
  const std::size_t last = source.substr(0, function.begin).find_last_not_of(" \t\n");
  return last != std::string_view::npos && source[last] == '>';
}

// Where #if asks for the side, each has a body of its own. In a function of both sides nvcc only
// warns of a template, and of what no kernel reaches.
Checks checks_of(std::string_view source,
                 const FunctionText& function,
                 const std::set<std::string>& used) {
  const std::string_view body = source.substr(function.open, function.close - function.open);
  if (body.find("__CUDA_ARCH__") != std::string_view::npos) return {};
  if (is_of_both_sides(function))
    return {false, used.contains(plain_name(function)), !is_template(source, function)};
  return {false, false, is_host_only(function)};
}

}  // namespace

std::vector<Refusal> find_refusals(std::string_view source, const DeclaredNames& names) {
  const EditedSource code(source, "");
  const DeviceCode device(code);
  std::vector<Refusal> refusals;
  const std::set<std::string> used = used_by_kernels(names);
  find_refused_declarations(source, refusals);
  for (const FunctionText& function : grader::all_functions(source)) {
    const bool is_void = function.result.find("void") != std::string::npos;
    if (is_kernel(function) && !is_void && !has_macro(function.result)) {
      refusals.push_back({"kernel-returns-value", line_of(source, function.begin),
                          "the kernel '" + plain_name(function) + "' returns a value",
                          "nvcc refuses this: a kernel is void. Write the result to memory."});
    }
    const bool is_device = device.has_any(function.open, function.open + 1);
    const Checks checks = is_device ? Checks{true, true, false} : checks_of(source, function, used);
    read_body(Body(source, function, refusals), checks, names);
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

#include "grader/program/mutate/function_body.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "grader/program/base/text.h"
#include "grader/program/cpptext/functions.h"

namespace kv::grader::mutate {
namespace {

constexpr std::array<std::string_view, 5> kBeforeBlock = {")", "]", "else", "do", "try"};

bool is_blank(char c) {
  return std::isspace(static_cast<unsigned char>(c)) != 0;
}

bool opens(const Token& token) {
  return token.is("(") || token.is("[") || token.is("{");
}

bool closes(const Token& token) {
  return token.is(")") || token.is("]") || token.is("}");
}

// "BlockPool::touch" of "void BlockPool::touch(std::span<...".
std::string name_in(const std::string& line) {
  const std::string before = line.substr(0, line.find('('));
  return before.substr(before.find_last_of(" *&") + 1);  // npos + 1 is 0
}

// Without a type in front, it is a constructor.
bool names_no_result(const std::string& line, const std::string& name) {
  const std::string before = line.substr(0, line.find(name));
  return before.empty() || before.ends_with("void ");
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
  int depth = 0;
  for (std::size_t i = open; i < tokens.size(); ++i) {
    depth += opens(tokens[i]) ? 1 : closes(tokens[i]) ? -1 : 0;
    if (depth == 0) return i;
  }
  return tokens.size() - 1;
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

std::vector<FunctionBody> function_bodies(std::string_view source) {
  const std::vector<std::string> lines = split_lines(source);
  std::vector<std::size_t> offsets = {0};
  for (const std::string& line : lines) offsets.push_back(offsets.back() + line.size() + 1);
  std::vector<FunctionBody> all;
  for (const FunctionText& function : all_functions(std::string(source))) {
    const auto opening = std::ranges::find_if(
        function.lines, [](const std::string& line) { return line.ends_with('{'); });
    if (opening == function.lines.end()) continue;  // "= default" and the like
    const auto first = static_cast<std::size_t>(opening - function.lines.begin()) + 1;
    const std::string name = name_in(function.lines.front());
    const std::size_t begin = offsets[function.first_line + first];
    const std::size_t end = offsets[function.first_line + function.num_lines - 1];
    all.push_back({.source = source,
                   .function = name,
                   .returns_nothing = names_no_result(function.lines.front(), name),
                   .begin = begin,
                   .end = end,
                   .tokens = tokens_of(source, begin, end)});
  }
  return all;
}

}  // namespace kv::grader::mutate

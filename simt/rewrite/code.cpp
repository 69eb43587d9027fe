#include "simt/rewrite/code.h"

#include <algorithm>

namespace kv::simt {
namespace {

int nesting(std::string_view symbol) {
  if (symbol == "(" || symbol == "[" || symbol == "{") return 1;
  return symbol == ")" || symbol == "]" || symbol == "}" ? -1 : 0;
}

// Name of a file as a string literal.
std::string quoted(const std::string& name) {
  std::string text = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + "\"";
}

}  // namespace

std::size_t Code::matching_bracket(std::size_t i, int step) const {
  int depth = 0;
  for (; i < size(); i += static_cast<std::size_t>(step)) {
    depth += nesting(text(i));
    if (depth == 0) return i;
  }
  return size();
}

std::string Code::edited() const {
  std::vector<Edit> in_order = edits_;
  std::ranges::stable_sort(in_order, {}, &Edit::token);
  std::string text;
  const char* from = source_.data();
  for (const Edit& edit : in_order) {
    const char* at = tokens_[edit.token].text.data();
    text.append(from, at).append(edit.text);
    from = at + edit.num_replaced;
  }
  return text.append(from, source_.data() + source_.size());
}

void Code::refuse(std::size_t i, const std::string& sentence) const {
  throw MalformedCuda(file_ + ":" + std::to_string(tokens_[i].line) + ": " + sentence);
}

std::string rewrite_cuda(std::string_view source, const std::string& file) {
  Code code(source, file);
  rewrite_launches(code);
  rewrite_dynamic_shared(code);
  return "#line 1 " + quoted(file) + "\n" + code.edited();
}

}  // namespace kv::simt

#include "simt/rewrite/edited_source.h"

#include <algorithm>

namespace kv::simt {

bool EditedSource::is_word(std::size_t i) const {
  if (i >= size()) return false;
  const grader::TokenKind kind = tokens_[i].kind;
  return kind == grader::TokenKind::kWord || kind == grader::TokenKind::kNumber;
}

std::string EditedSource::place(std::size_t i) const {
  const std::string_view before = source_.substr(0, tokens_[i].begin);
  return file_ + ":" + std::to_string(std::ranges::count(before, '\n') + 1);
}

std::string EditedSource::edited() const {
  std::vector<Edit> in_order = edits_;
  std::ranges::stable_sort(in_order, {}, &Edit::token);
  std::string text;
  std::size_t copied = 0;
  for (const Edit& edit : in_order) {
    const std::size_t at = tokens_[edit.token].begin;
    text.append(source_.substr(copied, at - copied)).append(edit.text);
    copied = at + edit.num_replaced;
  }
  return text.append(source_.substr(copied));
}

std::string quoted(const std::string& text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

}  // namespace kv::simt

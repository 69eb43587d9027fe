#include "simt/rewrite/edited_source.h"

#include <algorithm>

namespace kv::simt {

bool EditedSource::is_word(std::size_t i) const {
  if (i >= size()) return false;
  const grader::TokenKind kind = tokens_[i].kind;
  return kind == grader::TokenKind::kWord || kind == grader::TokenKind::kNumber;
}

bool EditedSource::is_in_directive(std::size_t i) const {
  std::size_t line = tokens_[i].begin;
  do {
    line = line == 0 ? std::string_view::npos : source_.rfind('\n', line - 1);
  } while (line != std::string_view::npos && line > 0 && source_[line - 1] == '\\');
  const std::size_t first = source_.find_first_not_of(" \t\n", line + 1);
  return first < source_.size() && source_[first] == '#';
}

bool EditedSource::begins_directive(std::size_t i) const {
  if (text(i) != "#") return false;
  const std::size_t before = source_.find_last_not_of(" \t", tokens_[i].begin - 1);
  return tokens_[i].begin == 0 || before == source_.npos || source_[before] == '\n';
}

std::size_t EditedSource::directive_end(std::size_t hash) const {
  std::size_t end = source_.find('\n', tokens_[hash].begin);
  while (end != source_.npos && source_[end - 1] == '\\') end = source_.find('\n', end + 1);
  std::size_t i = hash;
  while (i < size() && tokens_[i].begin < end) ++i;
  return i;
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

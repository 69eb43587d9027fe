#include "simt/rewrite/edited_source.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "simt/rewrite/rewrite.h"

namespace kv::simt {

EditedSource::EditedSource(std::string_view source, const std::string& file)
    : source_(source),
      file_(file),
      tokens_(grader::tokenize(source, grader::Directives::kKeep)),
      hashes_(tokens_.size(), kNoDirective) {
  find_directives();
}

std::size_t EditedSource::first_from(std::size_t offset) const {
  const auto found = std::ranges::lower_bound(tokens_, offset, {}, &grader::Token::begin);
  return static_cast<std::size_t>(found - tokens_.begin());
}

bool EditedSource::is_word(std::size_t i) const {
  if (i >= size()) return false;
  const grader::TokenKind kind = tokens_[i].kind;
  return kind == grader::TokenKind::kWord || kind == grader::TokenKind::kNumber;
}

void EditedSource::find_directives() {
  for (std::size_t i = 0; i < size(); ++i) {
    const std::size_t begin = tokens_[i].begin;
    const std::size_t before =
        begin == 0 ? source_.npos : source_.find_last_not_of(" \t", begin - 1);
    if (text(i) != "#" || (before != source_.npos && source_[before] != '\n')) continue;
    std::size_t end = source_.find('\n', begin);
    while (end != source_.npos && source_[end - 1] == '\\') end = source_.find('\n', end + 1);
    const std::size_t hash = i;
    for (; i < size() && tokens_[i].begin < end; ++i) hashes_[i] = hash;
    --i;
  }
}

std::size_t EditedSource::directive_end(std::size_t i) const {
  const auto same = [&](std::size_t hash) { return hash == hashes_[i]; };
  const auto begin = hashes_.begin() + static_cast<std::ptrdiff_t>(i);
  return static_cast<std::size_t>(std::find_if_not(begin, hashes_.end(), same) - hashes_.begin());
}

std::string EditedSource::place(std::size_t i) const {
  const std::string_view before = source_.substr(0, tokens_[i].begin);
  return file_ + ":" + std::to_string(std::ranges::count(before, '\n') + 1);
}

void EditedSource::refuse(std::size_t i, const std::string& sentence) const {
  throw MalformedCuda(place(i) + ": " + sentence);
}

std::string EditedSource::edited() const {
  std::vector<Edit> in_order = edits_;
  // What is inserted before a token comes first, also if the token is replaced.
  std::ranges::stable_sort(
      in_order, {}, [](const Edit& edit) { return std::pair(edit.token, edit.num_replaced > 0); });
  std::string text;
  std::size_t copied = 0;
  for (const Edit& edit : in_order) {
    const std::size_t at = tokens_[edit.token].begin;
    if (at < copied) throw std::logic_error(place(edit.token) + ": two edits of one token");
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

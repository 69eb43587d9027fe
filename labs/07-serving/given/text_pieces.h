#pragma once
// Cuts a text into the pieces that byte-level BPE encodes one by one. It is GPT-2's pattern
//
//   's|'t|'re|'ve|'m|'ll|'d| ?letters+| ?digits+| ?others+|blanks+(?!\S)|blanks+
//
// with each byte of a letter outside ASCII taken for a letter.

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace kv {

enum class ByteKind { kBlank, kLetter, kDigit, kOther };

inline ByteKind kind_of(char c) {
  if (c == ' ' || (c >= '\t' && c <= '\r')) return ByteKind::kBlank;
  if (c >= '0' && c <= '9') return ByteKind::kDigit;
  const bool is_ascii_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  const bool is_beyond_ascii = (static_cast<unsigned char>(c) & 0x80) != 0;
  return is_ascii_letter || is_beyond_ascii ? ByteKind::kLetter : ByteKind::kOther;
}

// How many bytes from `begin` on are of one kind.
inline std::size_t length_of_run(std::string_view text, std::size_t begin) {
  const ByteKind kind = kind_of(text[begin]);
  std::size_t end = begin;
  while (end < text.size() && kind_of(text[end]) == kind) ++end;
  return end - begin;
}

// The length of the first piece of a text that is not empty.
inline std::size_t length_of_piece(std::string_view text) {
  constexpr std::array<std::string_view, 7> kEndings = {"'s", "'t",  "'re", "'ve",
                                                        "'m", "'ll", "'d"};
  for (const std::string_view ending : kEndings)
    if (text.starts_with(ending)) return ending.size();

  if (kind_of(text[0]) != ByteKind::kBlank) return length_of_run(text, 0);

  // The last blank before a word is a part of the word, if it is a space.
  const std::size_t num_blanks = length_of_run(text, 0);
  if (num_blanks == text.size()) return num_blanks;
  if (num_blanks > 1) return num_blanks - 1;
  return text[0] == ' ' ? 1 + length_of_run(text, 1) : 1;
}

}  // namespace kv

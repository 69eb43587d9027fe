#include "base/text/utf16.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kv::grader {
namespace {

constexpr std::string_view kLittleMark = "\xff\xfe", kBigMark = "\xfe\xff";

// How many bytes are 0 of those at `first`, `first` + 2, ...
std::size_t num_zeros(const std::string& text, std::size_t first) {
  std::size_t count = 0;
  for (std::size_t i = first; i < text.size(); i += 2) count += text[i] == '\0' ? 1 : 0;
  return count;
}

bool has_zeros_at(const std::string& text, std::size_t first) {
  const std::size_t num_units = text.size() / 2;
  return num_units > 1 && num_zeros(text, first) > num_units / 2 && num_zeros(text, 1 - first) == 0;
}

bool is_big_endian(const std::string& text) {
  return text.starts_with(kBigMark) || (!text.starts_with(kLittleMark) && has_zeros_at(text, 0));
}

std::uint32_t unit_at(const std::string& text, std::size_t at, bool is_big) {
  const auto first = static_cast<unsigned char>(text[at]);
  const auto second = static_cast<unsigned char>(text[at + 1]);
  return is_big ? first * 256u + second : second * 256u + first;
}

void append_utf8(std::uint32_t letter, std::string& text) {
  const auto add = [&](std::uint32_t byte) { text.push_back(static_cast<char>(byte)); };
  if (letter < 0x80) return add(letter);
  const int num_more = letter < 0x800 ? 1 : letter < 0x10000 ? 2 : 3;
  constexpr std::uint32_t kFirst[] = {0, 0xc0, 0xe0, 0xf0};
  add(kFirst[num_more] | letter >> (6 * num_more));
  for (int i = num_more - 1; i >= 0; --i) add(0x80 | (letter >> (6 * i) & 0x3f));
}

}  // namespace

bool is_utf16(const std::string& text) {
  if (text.starts_with(kLittleMark) || text.starts_with(kBigMark)) return true;
  return has_zeros_at(text, 0) || has_zeros_at(text, 1);
}

std::string utf8_of(const std::string& text) {
  if (!is_utf16(text)) return text;
  const bool is_big = is_big_endian(text);
  const bool is_marked = text.starts_with(kLittleMark) || text.starts_with(kBigMark);
  std::string plain;
  for (std::size_t at = is_marked ? 2 : 0; at + 1 < text.size(); at += 2) {
    std::uint32_t letter = unit_at(text, at, is_big);
    const bool is_first_of_two = letter >= 0xd800 && letter < 0xdc00 && at + 3 < text.size();
    if (is_first_of_two) {
      at += 2;
      letter = 0x10000 + ((letter - 0xd800) << 10) + (unit_at(text, at, is_big) & 0x3ff);
    }
    append_utf8(letter, plain);
  }
  return plain;
}

}  // namespace kv::grader

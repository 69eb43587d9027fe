#include "apps/speaker/unicode_text.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>

#include "apps/speaker/newer_letters.h"

namespace kv {
namespace {

struct Letter {
  utf8proc_int32_t code;  // -1: no letter
  std::size_t num_bytes;
};

Letter first_letter(std::string_view text) {
  Letter letter = {-1, 1};
  const utf8proc_ssize_t num_bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &letter.code);
  if (num_bytes > 0) letter.num_bytes = static_cast<std::size_t>(num_bytes);
  return letter;
}

// Unicode's property White_Space, which no version after 6.3 has changed.
bool is_white_space(utf8proc_int32_t code) {
  return (code >= 0x09 && code <= 0x0d) || code == 0x20 || code == 0x85 || code == 0xa0 ||
         code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 || code == 0x2029 ||
         code == 0x202f || code == 0x205f || code == 0x3000;
}

std::size_t begin_of_last_letter(std::string_view text) {
  std::size_t begin = text.size() - 1;
  while (begin > 0 && (static_cast<unsigned char>(text[begin]) & 0xc0) == 0x80) --begin;
  return begin;
}

struct CodeRange {
  utf8proc_int32_t first, last;
};

// Marks of Unicode 14 and older that are too new for the normal form of tokenizers 0.23: there they
// neither change places nor become one with another letter. In order; they were found by asking
// that library about each letter.
constexpr auto kUnmovedMarks = std::to_array<CodeRange>({
    {0x7fd, 0x7fd},     {0x898, 0x89f},     {0x8ca, 0x8d3},     {0x9fe, 0x9fe},
    {0xc3c, 0xc3c},     {0xd3b, 0xd3c},     {0xeba, 0xeba},     {0x1715, 0x1715},
    {0x1abf, 0x1ace},   {0x1df6, 0x1dfa},   {0xa82c, 0xa82c},   {0x10d24, 0x10d27},
    {0x10eab, 0x10eac}, {0x10f46, 0x10f50}, {0x10f82, 0x10f85}, {0x11070, 0x11070},
    {0x1133b, 0x1133b}, {0x1145e, 0x1145e}, {0x11839, 0x1183a}, {0x11930, 0x11930},
    {0x1193d, 0x1193e}, {0x11943, 0x11943}, {0x119e0, 0x119e0}, {0x11a34, 0x11a34},
    {0x11a47, 0x11a47}, {0x11a99, 0x11a99}, {0x11d42, 0x11d42}, {0x11d44, 0x11d45},
    {0x11d97, 0x11d97}, {0x16ff0, 0x16ff1}, {0x1e130, 0x1e136}, {0x1e2ae, 0x1e2ae},
    {0x1e2ec, 0x1e2ef},
});

bool is_unmoved(utf8proc_int32_t code) {
  const CodeRange* range = std::ranges::lower_bound(kUnmovedMarks, code, {}, &CodeRange::last);
  return (range != kUnmovedMarks.end() && code >= range->first) || is_newer_letter(code);
}

std::string composed_by_utf8proc(std::string_view text) {
  utf8proc_uint8_t* result = nullptr;
  const utf8proc_ssize_t num_bytes =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                   static_cast<utf8proc_ssize_t>(text.size()), &result,
                   static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  if (num_bytes < 0) throw std::bad_alloc();
  const std::string composed_text(reinterpret_cast<const char*>(result),
                                  static_cast<std::size_t>(num_bytes));
  std::free(result);
  return composed_text;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    const Letter letter = first_letter(text);
    if (letter.code < 0)
      valid += "\xef\xbf\xbd";
    else
      valid += text.substr(0, letter.num_bytes);
    text.remove_prefix(letter.num_bytes);
  }
  return valid;
}

std::string composed(const std::string& text) {
  std::string result;
  std::size_t done = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Letter letter = first_letter(std::string_view(text).substr(at));
    if (is_unmoved(letter.code)) {
      result += composed_by_utf8proc(std::string_view(text).substr(done, at - done));
      result += text.substr(at, letter.num_bytes);
      done = at + letter.num_bytes;
    }
    at += letter.num_bytes;
  }
  return result + composed_by_utf8proc(std::string_view(text).substr(done));
}

std::size_t white_space_before(std::string_view text) {
  std::size_t num_bytes = 0;
  while (num_bytes < text.size()) {
    const Letter letter = first_letter(text.substr(num_bytes));
    if (!is_white_space(letter.code)) break;
    num_bytes += letter.num_bytes;
  }
  return num_bytes;
}

std::size_t white_space_after(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    const std::size_t begin = begin_of_last_letter(text.substr(0, end));
    if (!is_white_space(first_letter(text.substr(begin, end - begin)).code)) break;
    end = begin;
  }
  return text.size() - end;
}

std::size_t num_bytes_of_letter(std::string_view text) {
  return first_letter(text).num_bytes;
}

std::size_t num_printable_bytes(std::string_view text) {
  // The last letter begins at most three bytes before the end.
  for (std::size_t back = 1; back <= 4 && back <= text.size(); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if ((byte & 0xc0) == 0x80) continue;  // not the first byte of a letter
    const std::size_t length = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return length <= back ? text.size() : text.size() - back;
  }
  return text.size();
}

std::size_t num_letters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

}  // namespace kv

// From Oniguruma's way to write a pattern to that of PCRE2.
//
// PCRE2's \s has U+180E, too, so the letters of \s are written out. What is refused: numbers of
// times with a sign after them (x{2}+ takes nothing back in PCRE2, and is ++ of x{2} in
// Oniguruma), sets in sets, (?i) before letters that a single other letter may stand for, and all
// that no tokenizer of the usual kinds has.

#include <algorithm>
#include <array>
#include <stdexcept>

#include "apps/speaker/split_pattern.h"

namespace kv {
namespace {

constexpr std::string_view kWhiteSpace =
    "\\x09-\\x0d\\x20\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
    "\\x{205f}\\x{3000}";

class PatternReader {
 public:
  explicit PatternReader(const std::string& regex) : regex_(regex), rest_(regex) {}

  std::string read() {
    while (!rest_.empty()) {
      if (rest_[0] == '\\')
        take_escape();
      else if (is_in_set_)
        take_letter_of_set();
      else
        take_letter();
    }
    return pattern_;
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw std::runtime_error("has a pre_tokenizer with the pattern " + regex_ + ", and \"" +
                             std::string(what) + "\" in it cannot be read exactly");
  }

  void take(std::size_t num_bytes) {
    pattern_ += rest_.substr(0, num_bytes);
    rest_.remove_prefix(num_bytes);
  }

  void put(const std::string& instead, std::size_t num_bytes) {
    pattern_ += instead;
    rest_.remove_prefix(num_bytes);
  }

  void take_escape() {
    const char letter = rest_.size() > 1 ? rest_[1] : '\0';
    constexpr std::string_view kSame = "rntdvf\\/.-'\"()[]{}?*+|^$#&~!,:;<>=@%_` ";
    if (letter == 's') {
      put(is_in_set_ ? std::string(kWhiteSpace) : "[" + std::string(kWhiteSpace) + "]", 2);
    } else if (letter == 'S' && !is_in_set_) {
      put("[^" + std::string(kWhiteSpace) + "]", 2);
    } else if (letter == 'v') {
      put("\\x0b", 2);
    } else if (letter == 'p' || letter == 'P') {
      take_property();
    } else if (letter != '\0' && kSame.find(letter) != std::string_view::npos) {
      take(2);
    } else {
      refuse(rest_.substr(0, 2));
    }
  }

  // A kind of letters: \p{L}, \p{Lu}.
  void take_property() {
    const std::size_t end = rest_.find('}');
    const std::string_view name =
        end == std::string_view::npos || rest_[2] != '{' ? "" : rest_.substr(3, end - 3);
    constexpr std::string_view kKinds = "LMNPSZ";
    const bool is_kind = (name.size() == 1 || name.size() == 2) &&
                         kKinds.find(name[0]) != std::string_view::npos &&
                         (name.size() == 1 || (name[1] >= 'a' && name[1] <= 'z'));
    if (!is_kind) refuse(rest_.substr(0, end == std::string_view::npos ? 2 : end + 1));
    take(end + 1);
  }

  void take_letter_of_set() {
    if (rest_[0] == '[') refuse("[");
    if (rest_.starts_with("&&")) refuse("&&");
    if (rest_[0] == ']') is_in_set_ = false;
    take(1);
  }

  void take_letter() {
    if (rest_[0] == '[') {
      is_in_set_ = true;
      take(rest_.starts_with("[^") ? 2 : 1);
      if (rest_.starts_with(']')) refuse("[]");
    } else if (rest_[0] == '(') {
      take_group();
    } else if (rest_[0] == '{') {
      take_times();
    } else if (rest_[0] == '^' || rest_[0] == '$' || rest_[0] == '}') {
      refuse(rest_.substr(0, 1));
    } else {
      take(1);
    }
  }

  void take_group() {
    if (rest_.starts_with("(?i:")) return take_group_of_any_case();
    for (const std::string_view begin : {"(?:", "(?!", "(?=", "(?<!", "(?<=", "(?>"})
      if (rest_.starts_with(begin)) return take(begin.size());
    if (rest_.starts_with("(?") || rest_.starts_with("(*")) refuse(rest_.substr(0, 3));
    take(1);
  }

  // A group such as (?i:'s|'t). Why not all letters: "ss" stands for U+00DF in Oniguruma, too.
  void take_group_of_any_case() {
    const std::size_t end = rest_.find(')');
    if (end == std::string_view::npos) refuse("(?i:");
    std::string inside(rest_.substr(4, end - 4));
    for (char& letter : inside) {
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
      if ((letter < 'a' || letter > 'z') && letter != '\'' && letter != '|')
        refuse(rest_.substr(0, end + 1));
    }
    for (const char* pair : {"ff", "fi", "fl", "ss", "st"})
      if (inside.find(pair) != std::string::npos) refuse(rest_.substr(0, end + 1));
    take(end + 1);
  }

  // A number of times: {1,3}.
  void take_times() {
    const std::size_t end = rest_.find('}');
    const std::string_view inside = rest_.substr(1, end == std::string_view::npos ? 0 : end - 1);
    const bool is_range = !inside.empty() && inside[0] >= '0' && inside[0] <= '9' &&
                          inside.find_first_not_of("0123456789,") == std::string_view::npos;
    const char next = is_range && end + 1 < rest_.size() ? rest_[end + 1] : '\0';
    if (!is_range || next == '+' || next == '?' || next == '*' || next == '{') refuse("{");
    take(end + 1);
  }

  const std::string& regex_;
  std::string_view rest_;
  std::string pattern_;
  bool is_in_set_ = false;
};

}  // namespace

std::string pattern_of_pcre2(const std::string& regex) {
  return PatternReader(regex).read();
}

}  // namespace kv

// The values of a story as text.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "grader/harness/story_text.h"

namespace kv::grader {
namespace {

template <class Number>
void append_digits(Line& line, Number number) {
  std::array<char, 20> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  line.append({digits.data(), static_cast<std::size_t>(end - digits.data())});
}

// Writes six digits: 0.75, 1e-12.
void append_real(Line& line, std::int64_t bits) {
  const auto number = std::bit_cast<double>(bits);
  std::array<char, 32> digits;
  const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number,
                                  std::chars_format::general, 6)
                        .ptr;
  const std::string_view text(digits.data(), static_cast<std::size_t>(end - digits.data()));
  line.append(number != number ? "NaN" : text);
}

struct Brackets {
  std::string_view open, before_each, between, close;
};

Brackets brackets_of(ValueKind kind, Style style) {
  if (kind == ValueKind::kReals) return {"", "", " ", ""};
  if (style == Style::kCode && kind == ValueKind::kOptionalList) return {"Ids{", "", ", ", "}"};
  if (style == Style::kCode) return {"{", "", ", ", "}"};
  if (kind == ValueKind::kBlocks) return {"", "#", ", ", ""};
  return {"[", "", " ", "]"};
}

// The items [first, last).
void append_items(Line& line,
                  ValueKind kind,
                  std::span<const std::int64_t> items,
                  std::size_t first,
                  std::size_t last,
                  const Brackets& brackets) {
  for (std::size_t i = first; i < last; ++i) {
    const bool is_count = kind == ValueKind::kCounts && i % 2 == 1;
    if (i > first) line.append(is_count ? ":" : brackets.between);
    line.append(brackets.before_each);
    if (kind == ValueKind::kReals) {
      append_real(line, items[i]);
    } else {
      append_digits(line, items[i]);
    }
  }
}

// For a person, a long list is its beginning and its end: [0 1 2 3 4 5 6 7 ... 61 62 63] of 64.
// num_cut: how many more items there were.
void append_list(Line& line,
                 ValueKind kind,
                 std::span<const std::int64_t> items,
                 std::size_t num_cut,
                 Style style) {
  const std::size_t per_entry = kind == ValueKind::kCounts ? 2 : 1;
  const std::size_t longest = 16 * per_entry, num_first = 8 * per_entry, num_last = 3 * per_entry;
  const std::size_t size = items.size() + num_cut;
  const Brackets brackets = brackets_of(kind, style);
  line.append(brackets.open);
  if (style == Style::kCode || size <= longest) {
    append_items(line, kind, items, 0, items.size(), brackets);
    line.append(brackets.close);
    return;
  }
  append_items(line, kind, items, 0, num_first, brackets);
  line.append(brackets.between).append("...");
  if (num_cut == 0) {
    line.append(brackets.between);
    append_items(line, kind, items, size - num_last, size, brackets);
  }
  line.append(brackets.close).append(" of ");
  append_digits(line, size / per_entry);
}

// "[A 4/6, B 0/5]", and {"A 4/6", "B 0/5"} in code. For a person, a long list is cut as above.
void append_texts(Line& line, std::string_view texts, Style style) {
  constexpr std::size_t kLongest = 6, kNumFirst = 3, kNumLast = 2;
  const auto size = static_cast<std::size_t>(std::ranges::count(texts, '\n'));
  const bool is_cut = style == Style::kSentence && size > kLongest;
  const std::string_view quote = style == Style::kCode ? "\"" : "";
  line.append(style == Style::kCode ? "{" : "[");
  for (std::size_t i = 0; i < size; ++i) {
    const std::string_view text = texts.substr(0, texts.find('\n'));
    texts.remove_prefix(text.size() + 1);
    if (is_cut && i == kNumFirst) line.append(", ...");
    if (is_cut && i >= kNumFirst && i < size - kNumLast) continue;
    line.append(i == 0 ? "" : ", ").append(quote).append(text).append(quote);
  }
  line.append(style == Style::kCode ? "}" : "]");
  if (is_cut) append_digits(line.append(" of "), size);
}

void append_single(Line& line, ValueKind kind, std::int64_t number, Style style) {
  if (kind == ValueKind::kBool) {
    line.append(number == 0 ? "false" : "true");
  } else if (kind == ValueKind::kReal) {
    append_real(line, number);
  } else if (kind == ValueKind::kUnsigned) {
    append_digits(line, static_cast<std::uint64_t>(number));
    // Why: C++ warns of a number without it that only an unsigned type can hold.
    if (style == Style::kCode && number < 0) line.append("u");
  } else {
    if (kind == ValueKind::kBlock && style == Style::kSentence) line.append("#");
    append_digits(line, number);
  }
}

}  // namespace

void append_number(Line& line, std::uint64_t number) {
  append_digits(line, number);
}

void append_value(Line& line, const StoryRecord& record, const StoryField& field, Style style) {
  const auto numbers = record.numbers(field);
  const bool is_code = style == Style::kCode;
  switch (field.kind) {
    case ValueKind::kText:
      line.append(is_code ? "\"" : "").append(record.text(field)).append(is_code ? "\"" : "");
      return;
    case ValueKind::kTexts:
      return append_texts(line, record.text(field), style);
    case ValueKind::kNothing:
      line.append(is_code ? "std::nullopt" : "nullopt");
      return;
    case ValueKind::kBool:
    case ValueKind::kNumber:
    case ValueKind::kUnsigned:
    case ValueKind::kReal:
    case ValueKind::kBlock:
      if (!numbers.empty()) return append_single(line, field.kind, numbers[0], style);
      line.append(is_code ? "std::nullopt" : "nullptr");
      return;
    default:
      append_list(line, field.kind, numbers, field.num_cut, style);
  }
}

}  // namespace kv::grader

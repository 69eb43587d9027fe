#pragma once
// Values as the texts draw them: [0 1 2 3], nullopt, 0.25, NaN.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <iterator>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace kv::grader {

// A longer list is drawn in part: its beginning, and what is around one entry.
inline constexpr std::size_t kLongestDrawnList = 16;

template <class Number>
std::string draw_number(Number number) {
  if constexpr (std::floating_point<Number>) {
    if (std::isnan(number)) return "NaN";
  }
  std::array<char, 32> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

template <class Value>
std::string draw(const Value& value);

// "[0 1 2 3 ... 65535 65536 65537 65538 ...] of 70000", around the entry `at`.
template <class List>
std::string draw_around(const List& list, std::size_t at) {
  constexpr std::size_t kNumFirst = 4, kNumAround = 4;
  const std::size_t size = std::size(list);
  const bool is_long = size > kLongestDrawnList;
  const std::size_t begin = at == 0 ? 0 : std::min(at, size) - 1;
  std::string text;
  std::size_t i = 0, num_drawn = 0;
  for (const auto& item : list) {
    const bool is_drawn = !is_long || i < kNumFirst || (i >= begin && i < begin + kNumAround);
    if (is_drawn && num_drawn < i && !text.ends_with("... ")) text += "... ";
    if (is_drawn) num_drawn = i + 1;
    if (is_drawn) text += draw(item) + " ";
    ++i;
  }
  if (num_drawn < size) text += "... ";
  if (!text.empty()) text.pop_back();
  return "[" + text + "]" + (is_long ? " of " + std::to_string(size) : "");
}

// Any value for which a test has no words of its own.
template <class Value>
std::string draw(const Value& value) {
  if constexpr (std::same_as<Value, bool>) {
    return value ? "true" : "false";
  } else if constexpr (std::integral<Value> || std::floating_point<Value>) {
    return draw_number(value);
  } else if constexpr (std::same_as<Value, std::nullopt_t>) {
    return "nullopt";
  } else if constexpr (std::convertible_to<const Value&, std::string_view>) {
    return std::string(std::string_view(value));
  } else if constexpr (std::ranges::range<const Value>) {
    return draw_around(value, 0);
  } else {
    return value ? draw(*value) : "nullopt";  // std::optional
  }
}

// "expected [1 2], yours is [2 1]". Long lists are drawn around the first entry that differs.
template <class Expected, class Yours>
std::string draw_difference(const std::string& what, const Expected& expected, const Yours& yours) {
  const std::string named = "expected " + (what.empty() ? "" : what + " ");
  const auto joined = [](const std::string& left, const std::string& right) {
    constexpr std::size_t kWidth = 100;
    const bool is_one_line = left.size() + right.size() < kWidth;
    return left + (is_one_line ? ", yours is " : "\n   yours is ") + right;
  };
  if constexpr (std::ranges::sized_range<const Expected> &&
                !std::convertible_to<const Expected&, std::string_view>) {
    const auto [theirs, other] = std::ranges::mismatch(expected, yours);
    const auto at = static_cast<std::size_t>(std::ranges::distance(std::begin(expected), theirs));
    const bool is_long = std::max(std::size(expected), std::size(yours)) > kLongestDrawnList;
    return joined(named + draw_around(expected, at), draw_around(yours, at)) +
           (is_long ? "\n   entry " + std::to_string(at) + " is the first that differs" : "");
  } else {
    return joined(named + draw(expected), draw(yours));
  }
}

// nullopt if they are equal.
template <class Expected, class Yours>
std::optional<std::string> difference(const Expected& expected, const Yours& yours) {
  bool is_same = false;
  if constexpr (std::integral<Expected> && std::integral<Yours> && !std::same_as<Expected, bool>) {
    is_same = std::cmp_equal(expected, yours);
  } else if constexpr (std::floating_point<Yours> && std::integral<Expected>) {
    is_same = static_cast<Yours>(expected) == yours;
  } else {
    is_same = expected == yours;
  }
  if (is_same) return std::nullopt;
  return draw_difference("", expected, yours);
}

}  // namespace kv::grader

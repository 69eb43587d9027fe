#include "grader/program/student/predict/line_difference.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "common/text.h"

namespace kv::grader {
namespace {

constexpr std::string_view kListMarks = ",[]#";  // around and between ids
constexpr std::string_view kOfNumbers = "0123456789.";

// "20.50" -> "20.5"; a word that is no such number stays as it is.
std::string without_last_zeros(std::string word) {
  const bool is_decimal = word.find('.') != std::string::npos &&
                          word.find_first_not_of(kOfNumbers) == std::string::npos;
  if (!is_decimal) return word;
  word.erase(word.find_last_not_of('0') + 1);
  if (word.ends_with('.')) word.pop_back();
  return word;
}

std::optional<std::string> line_at(const std::vector<std::string>& lines, std::size_t at) {
  return at < lines.size() ? std::optional(lines[at]) : std::nullopt;
}

}  // namespace

std::string plain_line(const std::string& line) {
  std::string text = line;
  std::ranges::transform(text, text.begin(), [](unsigned char c) {
    return std::ranges::count(kListMarks, c) > 0 ? ' ' : std::tolower(c);
  });
  std::istringstream words(text);
  std::vector<std::string> plain;
  for (std::string word; words >> word;) plain.push_back(without_last_zeros(word));
  return replace_all(replace_all(join(plain, " "), " :", ":"), ": ", ":");
}

std::optional<LineDifference> first_difference(const std::vector<std::string>& yours,
                                               const std::vector<std::string>& other) {
  for (std::size_t at = 0; at < std::max(yours.size(), other.size()); ++at) {
    LineDifference difference{at + 1, line_at(yours, at), line_at(other, at)};
    const bool both = difference.yours && difference.other;
    if (!both || plain_line(*difference.yours) != plain_line(*difference.other)) return difference;
  }
  return std::nullopt;
}

}  // namespace kv::grader

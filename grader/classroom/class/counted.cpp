#include "grader/classroom/class/counted.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <regex>

#include "base/text/errors.h"
#include "base/text/text.h"
#include "grader/classroom/class/class_state.h"

namespace kv::grader::classroom {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the number at the beginning of a text that begins with a digit. Its size, then its digits,
// compare as the number does.
std::pair<std::size_t, std::string> take_number(std::string_view& text) {
  const std::string_view all = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(all.size());
  const std::string digits(all.substr(std::min(all.find_first_not_of('0'), all.size())));
  return {digits.size(), digits};
}

// Is ada-9 before ada-10?
bool is_before(std::string_view left, std::string_view right) {
  while (!left.empty() && !right.empty()) {
    if (is_digit(left.front()) && is_digit(right.front())) {
      const auto number = take_number(left), other = take_number(right);
      if (number != other) return number < other;
    } else if (left.front() != right.front()) {
      return left.front() < right.front();
    } else {
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  return left.size() < right.size();
}

const Row* row_named(const ClassState& state, const std::string& name) {
  const auto row = std::ranges::find(state.rows, name, &Row::name);
  return row == state.rows.end() || !row->has_score() ? nullptr : &*row;
}

// nullptr while one of them has no score: it may be the best.
const Row* best_of(const ClassState& state, const std::vector<std::string>& submissions) {
  const Row* best = nullptr;
  for (const std::string& name : submissions) {
    const Row* row = row_named(state, name);
    if (row == nullptr) return nullptr;
    const auto points = [](const Row& each) { return std::pair(each.score(), each.extra()); };
    if (best == nullptr || points(*row) > points(*best)) best = row;
  }
  return best;
}

const Row* counted_of(const ClassState& state, const std::vector<std::string>& submissions) {
  if (submissions.size() == 1) return row_named(state, submissions.front());
  switch (state.keep) {
    case Keep::kNone:
      return nullptr;
    case Keep::kBest:
      return best_of(state, submissions);
    case Keep::kLast:
      return row_named(state, *std::ranges::max_element(submissions, is_before));
  }
  return nullptr;
}

[[noreturn]] void refuse(const std::string& policy) {
  throw UsageError("--late " + policy +
                   " is no list of hours and factors; 24:0.9,72:0.5 counts 0.9 of the points up to "
                   "24 hours late, and half of them up to 72");
}

}  // namespace

LatePolicy::LatePolicy(const std::string& text) {
  static const std::regex pattern(R"(([0-9]{1,5}(?:\.[0-9]+)?):(0|1|0?\.[0-9]{1,4}))");
  for (const std::string& part : split_lines(replace_all(text, ",", "\n"))) {
    std::smatch found;
    const bool is_limit = std::regex_match(part, found, pattern);
    const double hours = is_limit ? std::stod(found[1]) : 0;
    if (!is_limit || (is_given() && hours <= limits_.back().first)) refuse(text);
    limits_.push_back({hours, std::stod(found[2])});
  }
  if (!is_given()) refuse(text);
}

double LatePolicy::factor(const Person& person) const {
  const double hours_late = person.hours_late.value_or(0);
  if (limits_.empty() || hours_late <= 0) return 1;
  const auto limit =
      std::ranges::find_if(limits_, [&](const auto& each) { return hours_late <= each.first; });
  return limit == limits_.end() ? 0 : limit->second;
}

std::map<const Person*, const Row*> counted_rows(const ClassState& state) {
  std::map<const Person*, const Row*> counted;
  for (const auto& [person, submissions] : state.by_owner())
    if (person != nullptr) counted[person] = counted_of(state, submissions);
  return counted;
}

std::string factor_text(double factor) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%g", factor);
  return text.data();
}

}  // namespace kv::grader::classroom

#include "grader/classroom/class/decisions.h"

#include <algorithm>
#include <map>
#include <regex>

#include "base/text/errors.h"
#include "grader/classroom/class/counted.h"

namespace kv::grader::classroom {
namespace {

// The lines below the first one, which has to be `head`. Throws UsageError.
std::vector<CsvLine> lines_below(const CsvLine& head, const fs::path& file) {
  std::vector<CsvLine> lines = parse_csv(read_file(file), file.string());
  if (lines.empty() || lines.front() != head)
    throw UsageError(file.string() + ": the first line has to be \"" + join(head, ",") + "\"");
  lines.erase(lines.begin());
  for (const CsvLine& line : lines) {
    if (line.size() != head.size())
      throw UsageError(file.string() + ": the line of " + line.front() + " needs " +
                       join(head, ","));
  }
  return lines;
}

// Throws UsageError.
double number_in(const std::string& text, const std::string& form, const std::string& what) {
  if (!std::regex_match(text, std::regex(form)))
    throw UsageError(what + " is \"" + text + "\"; write a number, as 12 or 1.5");
  return std::stod(text);
}

constexpr const char* kNumber = "[0-9]{1,5}(\\.[0-9]{1,4})?";

void give_points(const std::string& points, const std::string& reason, Person& person) {
  const bool is_change = points.front() == '+' || points.front() == '-';
  const double number = number_in(points, std::string("[-+]?") + kNumber, "points of " + person.id);
  person.by_hand = ByHand{is_change, number};
  person.decisions.push_back("by hand: " + points + " core points (" + reason + ")");
}

// Time that is not late.
void take_hours(double hours, Person& person) {
  if (person.hours_late) *person.hours_late = std::max(0.0, *person.hours_late - hours);
}

void apply(const CsvLine& line, const std::string& file, std::vector<Person>& people) {
  const auto person = std::ranges::find(people, line[0], &Person::id);
  if (person == people.end())
    throw UsageError(file + ": the id " + line[0] + " is not in the roster");
  if (line[3].empty()) throw UsageError(file + ": " + line[0] + " needs a reason");
  if (!line[1].empty()) give_points(line[1], line[3], *person);
  if (line[2].empty()) return;
  take_hours(number_in(line[2], kNumber, "hours of " + line[0]), *person);
  person->decisions.push_back("an extension of " + line[2] + " hours (" + line[3] + ")");
}

using HoursByUse = std::map<std::pair<std::string, std::string>, double>;  // id, labs

HoursByUse hours_used(const CsvLine& head, const fs::path& term) {
  HoursByUse used;
  if (!fs::exists(term)) return used;
  for (const CsvLine& line : lines_below(head, term))
    used[{line[0], line[1]}] = number_in(line[2], kNumber, term.string() + ": hours of " + line[0]);
  return used;
}

}  // namespace

void apply_decisions(const fs::path& file, std::vector<Person>& people) {
  for (const CsvLine& line : lines_below({"id", "points", "hours", "reason"}, file))
    apply(line, file.string(), people);
}

void apply_grace(double hours,
                 const fs::path& term,
                 const std::string& labs,
                 std::vector<Person>& people) {
  const CsvLine head = {"id", "labs", "hours"};
  HoursByUse used = hours_used(head, term);
  for (Person& person : people) {
    double left = hours;
    for (const auto& [use, number] : used)
      if (use.first == person.id && use.second != labs) left -= number;
    const double now = std::clamp(person.hours_late.value_or(0), 0.0, std::max(0.0, left));
    used.erase({person.id, labs});
    if (now == 0) continue;
    used[{person.id, labs}] = now;
    take_hours(now, person);
    person.decisions.push_back("grace: " + factor_text(now) + " hours, " + factor_text(left - now) +
                               " are left for the term");
  }
  std::vector<CsvLine> lines = {head};
  for (const auto& [use, number] : used)
    lines.push_back({use.first, use.second, factor_text(number)});
  write_file(term, csv_text(lines));
}

}  // namespace kv::grader::classroom

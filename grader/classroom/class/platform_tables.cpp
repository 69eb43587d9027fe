#include <algorithm>
#include <cmath>

#include "base/kit/csv.h"
#include "grader/classroom/class/class_state.h"
#include "grader/classroom/class/grade.h"

namespace kv::grader::classroom {
namespace {

// A number with as few digits as it needs, two at most.
std::string short_number(double number) {
  return factor_text(std::round(number * 100) / 100);
}

CsvLine canvas_line(const ClassState& state, const Person& person) {
  const Roster& roster = state.roster;
  if (roster.kind != RosterKind::kCanvas) return {person.name, "", person.id, "", person.group};
  CsvLine line = {person.name};
  for (const char* column : {"ID", "SIS User ID", "SIS Login ID", "Section"})
    line.push_back(roster.field(person.line, column));
  return line;
}

// The column of Moodle's worksheet; as it is there if it has none of that name.
void set_field(const Roster& roster, const std::string& column, std::string text, CsvLine& line) {
  const auto found = std::ranges::find(roster.columns, column);
  if (found != roster.columns.end())
    line.at(static_cast<std::size_t>(found - roster.columns.begin())) = std::move(text);
}

}  // namespace

std::string canvas_csv(const ClassState& state) {
  const std::string title = "PagedLab " + labs_text(state.labs);
  // Why 0 for the extra points: what is earned there is added, and what is not costs nothing.
  std::vector<CsvLine> lines = {
      {"Student", "ID", "SIS User ID", "SIS Login ID", "Section", title + " core",
       title + " extra"},
      {"    Points Possible", "", "", "", "", std::to_string(max_core_points(state.labs)), "0"}};
  for (const Grade& grade : grades_of(state)) {
    CsvLine line = canvas_line(state, *grade.person);
    line.push_back(grade.core ? points_in_tenths(*grade.core) : "");
    line.push_back(grade.extra ? points_in_tenths(*grade.extra) : "");
    lines.push_back(line);
  }
  return csv_text(lines);
}

std::string moodle_csv(const ClassState& state) {
  const Roster& roster = state.roster;
  std::vector<CsvLine> lines = {roster.columns};
  const double max_core = max_core_points(state.labs);
  for (const Grade& grade : grades_of(state)) {
    CsvLine line = grade.person->line;
    if (grade.core) {
      // Moodle takes no grade above its maximum, which may be another than ours.
      const std::string most = roster.field(line, "Maximum grade");
      const double scale = most.empty() ? 1 : std::stod(most) / max_core;
      set_field(roster, "Grade", short_number(std::min(*grade.core, max_core) * scale), line);
      set_field(roster, "Feedback comments", sentence_of(state, grade), line);
    }
    lines.push_back(line);
  }
  return csv_text(lines);
}

}  // namespace kv::grader::classroom

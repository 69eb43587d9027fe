#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "grader/engine/report/report.h"

namespace kv::grader {
namespace {

bool& is_in_color() {
  static bool is_on = ::isatty(STDOUT_FILENO) != 0;
  return is_on;
}

std::string colored(const char* code, const std::string& text) {
  return is_in_color() ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}

}  // namespace

std::string green(const std::string& text) {
  return colored("32", text);
}

std::string red(const std::string& text) {
  return colored("31", text);
}

std::string bold(const std::string& text) {
  return colored("1", text);
}

void print_in_color() {
  is_in_color() = true;
}

namespace {

std::string left(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string right(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string score(int points, int max_points) {
  return std::to_string(points) + "/" + std::to_string(max_points);
}

// "25/25", "25/25 +3/10", "0/6  extra".
std::string points_text(const TableRow& row) {
  const std::string extra = score(row.extra.points, row.extra.max_points);
  if (row.extra.max_points == 0) return right(score(row.core.points, row.core.max_points), 6);
  if (row.core.max_points == 0) return right(extra, 6) + "  extra";
  return right(score(row.core.points, row.core.max_points), 6) + " +" + extra;
}

std::string table_text(const LabResult& lab) {
  std::string text;
  for (const TableRow& row : table_of(lab)) text += table_row(row);
  return text;
}

bool touched(const LabResult& lab) {
  return lab.state == LabState::kInProgress || lab.state == LabState::kDone;
}

// A warning is often the reason of a failure; beside full points it would only cause doubt.
std::string warnings_text(const LabResult& lab) {
  constexpr std::size_t kMaxShown = 3;
  if (!touched(lab) || !lab.first_failure() || lab.warnings.empty()) return "";
  std::string text = "\n    the compiler warns:\n";
  for (std::size_t i = 0; i < std::min(kMaxShown, lab.warnings.size()); ++i)
    text += "      " + lab.warnings[i] + "\n";
  if (lab.warnings.size() > kMaxShown)
    text += "      and " + std::to_string(lab.warnings.size() - kMaxShown) + " more\n";
  return text;
}

// Says of a part that is not written yet that it is the next one, and not that it is wrong.
std::string next_part_text(const LabResult& lab, const TestResult& failure) {
  const StepSpec& step = lab.lab->step(failure.spec->step);
  const TableRow row = row_of(lab, step);
  if (row.kind != RowKind::kInProgress || failure.spec->part == 0) return "";
  return "\n    " + step.heading() + ": " + row.state +
         "; next: " + step.part_name(failure.spec->part) + ". Its first test:\n";
}

// "and 3 more, and 12 of later parts and steps; --all shows them"
std::string more_text(const LabResult& lab,
                      const std::vector<const TestResult*>& failures,
                      const std::string& shows_others) {
  const auto num_later =
      static_cast<std::size_t>(std::ranges::count_if(failures, [&](const TestResult* test) {
        return lab.waits_for_part(*test) || lab.is_open(lab.lab->step(test->spec->step));
      }));
  const std::size_t num_more = failures.size() - 1 - num_later;
  std::vector<std::string> counts;
  if (num_more > 0) counts.push_back("and " + std::to_string(num_more) + " more");
  if (num_later > 0)
    counts.push_back("and " + std::to_string(num_later) + " of later parts and steps");
  return counts.empty() ? ""
                        : "\n    " + join(counts, ", ") + "; " + shows_others + " shows them\n";
}

std::string failures_text(const LabResult& lab, const std::string& shows_others) {
  const std::vector<const TestResult*> failures = lab.failures();
  if (!touched(lab) || failures.empty()) return "";
  const std::size_t num_shown = shows_others.empty() ? failures.size() : 1;
  std::string text = next_part_text(lab, *failures.front());
  for (std::size_t i = 0; i < num_shown; ++i)
    text += "\n" + indent(failure_text(lab, *failures[i]), "    ");
  if (!shows_others.empty()) text += more_text(lab, failures, shows_others);
  return text;
}

void print(const std::string& text) {
  std::printf("%s", text.c_str());
  std::fflush(stdout);
}

}  // namespace

std::string lab_row(const LabResult& lab) {
  const std::string state = left(state_name(lab.state), 17);
  return "lab " + lab.lab->id + "  " + left(lab.lab->title, 20) + " " +
         (lab.state == LabState::kDone ? green(state) : bold(state)) + " " +
         right(score(lab.points(true), lab.lab->max_points(true)), 7) + "  +" +
         score(lab.points(false), lab.lab->max_points(false)) + "\n";
}

// Why this width: of a state in color, not all bytes are visible.
std::string table_row(const TableRow& row) {
  std::string state = left(row.state, 18);
  if (row.kind == RowKind::kOk) state = green(state);
  if (row.kind == RowKind::kWrong) state = red(state);
  return "    " + left(row.heading(), 44) + " " + state + " " + points_text(row) + "\n";
}

std::string findings_text(const LabResult& lab, const std::string& shows_others) {
  std::string text;
  if (!lab.message.empty()) text += indent(lab.message, "    ");
  text += warnings_text(lab) + failures_text(lab, shows_others);
  for (const std::string& note : lab.notes) text += indent(note, "    ");
  for (const std::string& flag : lab.flags) text += "    for the instructor: " + flag + "\n";
  return text;
}

void print_header(const Submission& submission) {
  std::printf("grading %s  (digest %.12s, core stubs left: %d)\n", bold(submission.name).c_str(),
              submission.digest.c_str(), submission.num_core_stubs());
  std::fflush(stdout);
}

void print_lab_row(const LabResult& lab) {
  print("\n" + lab_row(lab));
}

void print_findings(const LabResult& lab, bool all) {
  print((touched(lab) ? table_text(lab) : "") + findings_text(lab, all ? "" : "--all"));
}

void print_next(const std::string& text) {
  print(indent(text, "    "));
}

void print_total(const Report& report) {
  std::printf("\ntotal %s core, +%s extra\n",
              bold(score(report.points(true), report.max_points(true))).c_str(),
              score(report.points(false), report.max_points(false)).c_str());
  const bool untouched = std::ranges::all_of(
      report.labs, [](const LabResult& lab) { return lab.state == LabState::kNotStarted; });
  if (untouched) std::printf("That is right: nothing is written yet.\n");
  if (report.submission->name == "solution") {
    std::printf("This is the score of the kit's solution. The score of your work: ./lab grade\n");
  }
}

}  // namespace kv::grader

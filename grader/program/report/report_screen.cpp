#include <algorithm>
#include <cstdio>
#include <string>

#include "grader/program/report/color.h"
#include "grader/program/report/report.h"

namespace kv::grader {
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

// Why this width: of a state in color, not all bytes are visible.
std::string step_row(const StepSpec& step, const std::string& state_of_11, const std::string& end) {
  return "    " + left(step.heading(), 44) + " " + state_of_11 + " " + end + "\n";
}

std::string tally_row(const LabResult& lab, const StepSpec& step, bool core) {
  const StepTally sum = lab.tally(step, core);
  if (sum.max_points == 0) return "";
  std::string state = left(step_state(lab, step, core), 11);
  if (state.starts_with("ok")) state = green(state);
  if (state.starts_with("wrong")) state = red(state);
  return step_row(step, state,
                  right(score(sum.points, sum.max_points), 6) + (core ? "" : "  extra"));
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

std::string blamed_rows(const LabResult& lab) {
  std::string text;
  for (const StepSpec& step : lab.lab->steps) {
    if (!is_only_blamed(lab, step)) continue;
    text += step_row(step, red("wrong      "), "passes its own tests");
  }
  return text;
}

std::string failures_text(const LabResult& lab, const std::string& shows_others) {
  const std::vector<const TestResult*> failures = lab.failures();
  if (!touched(lab) || failures.empty()) return "";
  const std::size_t num_shown = shows_others.empty() ? failures.size() : 1;
  std::string text;
  for (std::size_t i = 0; i < num_shown; ++i)
    text += "\n" + indent(failure_text(lab, *failures[i]), "    ");
  const std::size_t num_more = failures.size() - num_shown;
  if (num_more > 0)
    text += "\n    and " + std::to_string(num_more) + " more; " + shows_others + " shows them\n";
  if (!lab.cause_search.empty()) text += "\n    cause: " + lab.cause_search + "\n";
  if (!lab.diagnosis.empty()) text += "\n" + indent(lab.diagnosis, "    ");
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

std::string step_rows(const LabResult& lab, const StepSpec& step) {
  return tally_row(lab, step, true) + tally_row(lab, step, false);
}

std::string findings_text(const LabResult& lab, const std::string& shows_others) {
  std::string text = blamed_rows(lab);
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

void print_scores(const LabResult& lab) {
  std::string text = "\n" + lab_row(lab);
  for (const bool core : {true, false}) {
    for (const StepSpec& step : lab.lab->steps)
      if (touched(lab)) text += tally_row(lab, step, core);
  }
  print(text);
}

void print_findings(const LabResult& lab, bool all) {
  print(findings_text(lab, all ? "" : "--all"));
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

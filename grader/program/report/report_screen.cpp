#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "grader/program/report/report.h"

namespace kv::grader {
namespace {

std::string colored(const char* code, const std::string& text) {
  static const bool is_terminal = ::isatty(STDOUT_FILENO) != 0;
  return is_terminal ? "\033[" + std::string(code) + "m" + text + "\033[0m" : text;
}
std::string green(const std::string& text) {
  return colored("32", text);
}
std::string red(const std::string& text) {
  return colored("31", text);
}
std::string bold(const std::string& text) {
  return colored("1", text);
}

std::string score(int points, int max_points) {
  return std::to_string(points) + "/" + std::to_string(max_points);
}

void print_step(const LabResult& lab, const StepSpec& step, bool core) {
  const StepTally sum = lab.tally(step, core);
  if (sum.max_points == 0) return;
  std::string state = red("wrong      ");
  if (sum.all_pass) state = green("ok         ");
  if (sum.all_not_started || lab.is_open(step)) state = "not started";
  if (!step.has_stub() && sum.points == 0) state = "not done   ";
  std::printf("    %-44s %s %6s%s\n", step.heading().c_str(), state.c_str(),
              score(sum.points, sum.max_points).c_str(), core ? "" : "  extra");
}

bool touched(const LabResult& lab) {
  return lab.state == LabState::kInProgress || lab.state == LabState::kDone;
}

// A warning is often the reason of a failure; beside full points it would only cause doubt.
void print_warnings(const LabResult& lab) {
  constexpr std::size_t kMaxShown = 3;
  if (!touched(lab) || !lab.first_failure() || lab.warnings.empty()) return;
  std::printf("\n    the compiler warns:\n");
  for (std::size_t i = 0; i < std::min(kMaxShown, lab.warnings.size()); ++i) {
    std::printf("      %s\n", lab.warnings[i].c_str());
  }
  if (lab.warnings.size() > kMaxShown) {
    std::printf("      and %zu more\n", lab.warnings.size() - kMaxShown);
  }
}

// The steps that make tests of other steps fail and pass their own.
void print_blamed(const LabResult& lab) {
  for (const StepSpec& step : lab.lab->steps) {
    if (!lab.is_blamed(step) || !lab.tally(step, true).all_pass || !lab.tally(step, false).all_pass)
      continue;
    std::printf("    %-44s %s passes its own tests\n", step.heading().c_str(),
                red("wrong      ").c_str());
  }
}

void print_failures(const LabResult& lab, bool all) {
  if (!touched(lab)) return;
  int num_more = 0;
  bool shown = false;
  for (const TestResult& test : lab.tests) {
    if (!test.failed()) continue;
    if (shown && !all) {
      ++num_more;
      continue;
    }
    std::printf("\n%s", indent(failure_text(lab, test), "    ").c_str());
    shown = true;
  }
  if (num_more > 0) std::printf("\n    and %d more; --all shows them\n", num_more);
  if (!lab.cause_search.empty()) std::printf("\n    cause: %s\n", lab.cause_search.c_str());
  if (!lab.diagnosis.empty()) std::printf("\n%s", indent(lab.diagnosis, "    ").c_str());
}

}  // namespace

void print_header(const Submission& submission) {
  std::printf("grading %s  (digest %.12s, core stubs left: %d)\n", bold(submission.name).c_str(),
              submission.digest.c_str(), submission.num_core_stubs());
  std::fflush(stdout);
}

void print_scores(const LabResult& lab) {
  std::string state = state_name(lab.state);
  state.resize(17, ' ');  // before the color, whose bytes are not visible
  std::printf("\nlab %s  %-20s %s %7s  +%s\n", lab.lab->id.c_str(), lab.lab->title.c_str(),
              lab.state == LabState::kDone ? green(state).c_str() : bold(state).c_str(),
              score(lab.points(true), lab.lab->max_points(true)).c_str(),
              score(lab.points(false), lab.lab->max_points(false)).c_str());
  if (touched(lab)) {
    for (const bool core : {true, false}) {
      for (const StepSpec& step : lab.lab->steps) print_step(lab, step, core);
    }
  }
  std::fflush(stdout);
}

void print_findings(const LabResult& lab, bool all) {
  print_blamed(lab);
  if (!lab.message.empty()) std::printf("%s", indent(lab.message, "    ").c_str());
  print_warnings(lab);
  print_failures(lab, all);
  for (const std::string& note : lab.notes) std::printf("%s", indent(note, "    ").c_str());
  for (const auto& flag : lab.flags) std::printf("    for the instructor: %s\n", flag.c_str());
}

void print_next(const std::string& text) {
  std::printf("%s", indent(text, "    ").c_str());
  std::fflush(stdout);
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

#include "grader/program/report/report.h"

namespace kv::grader {

namespace {

// "2.4 free_blocks; fails through 2.2", if the cause is not in the test's own step.
std::string step_of(const TestResult& test, const StepSpec& step) {
  const bool is_elsewhere = test.cause && !test.cause->is_in(step.number);
  return step.heading() + (is_elsewhere ? "; fails through " + test.cause->place : "");
}

}  // namespace

std::string failure_text(const LabResult& lab, const TestResult& test) {
  const Verdict& verdict = test.verdict;
  if (verdict.status == Status::kNotStarted) return verdict.headline;
  const StepSpec& step = lab.lab->step(test.spec->step);
  const std::string folder = "labs/" + lab.lab->folder;
  std::string text = test.spec->name + "  (step " + step_of(test, step) + ")\n";
  if (!verdict.spec.empty()) text += "this test checks: " + verdict.spec + "\n";
  const std::string story = verdict.story.text();
  if (!story.empty()) text += "what the test did:\n" + indent(story, "  ");
  text += "what went wrong: " + verdict.headline + "\n";
  if (!verdict.advice.empty()) text += verdict.advice + "\n";
  if (!test.printed.empty()) text += "your code printed:\n" + indent(test.printed, "  ");
  if (!verdict.source.empty()) text += "test: " + verdict.source + "\n";
  if (test.cause) text += "cause: " + test.cause->text + "\n";
  std::string heading = verdict.heading.empty() ? step.heading() : verdict.heading;
  if (test.cause && !test.cause->heading.empty()) heading = test.cause->heading;
  text += "read: " + folder + "/README.md, \"" + heading + "\"\n";
  text += "stuck? " + folder + "/HINTS.md, \"" + heading + "\", tier 1";
  return text;
}

}  // namespace kv::grader

#include "grader/program/student/report/report.h"

namespace kv::grader {

namespace {

// "step 2.4 free_blocks; fails through 2.2", if the cause is not in the test's own step.
std::string step_of(const LabResult& lab, const TestResult& test) {
  const StepSpec& step = lab.lab->step(test.spec->step);
  std::string text = test.spec->is_history() ? "random histories" : "step " + step.heading();
  if (test.spec->part > 0) text += ", " + step.part_name(test.spec->part);
  const std::string place = lab.fails_through(test);
  return text + (place.empty() ? "" : "; fails through " + place);
}

}  // namespace

FailureParts failure_parts(const LabResult& lab, const TestResult& test) {
  const StepSpec& step = lab.lab->step(test.spec->step);
  const std::string folder = "labs/" + lab.lab->folder;
  const bool is_first = test.failed() && lab.failures().front()->spec == test.spec;
  std::string heading = test.verdict.heading.empty() ? step.heading() : test.verdict.heading;
  if (is_first && !lab.diagnosis.heading.empty()) heading = lab.diagnosis.heading;
  if (test.cause && !test.cause->heading.empty()) heading = test.cause->heading;
  if (const StepSpec* costly = lab.costly_step(test)) heading = costly->heading();
  std::string cause = is_first ? lab.cause_search : "";
  if (test.cause) cause = test.cause->text;
  return {.step = step_of(lab, test),
          .spec = test.verdict.spec,
          .wrong = test.verdict.headline,
          .cause = cause,
          .diagnosis = is_first ? lab.diagnosis.text : "",
          .read = folder + "/README.md, \"" + heading + "\"",
          .hint = folder + "/HINTS.md, \"" + heading + "\", tier 1"};
}

std::string failure_text(const LabResult& lab, const TestResult& test) {
  const Verdict& verdict = test.verdict;
  if (verdict.status == Status::kNotStarted) return verdict.headline;
  const FailureParts parts = failure_parts(lab, test);
  std::string text = test.spec->name + "  (" + parts.step + ")\n";
  if (!parts.spec.empty()) text += "this test checks: " + parts.spec + "\n";
  const std::string story = verdict.story.text();
  if (!story.empty()) text += "what the test did:\n" + indent(story, "  ");
  text += "what went wrong: " + parts.wrong + "\n";
  if (!verdict.advice.empty()) text += verdict.advice + "\n";
  if (!test.printed.empty()) text += "your code printed:\n" + indent(test.printed, "  ");
  if (!verdict.source.empty()) text += "test: " + verdict.source + "\n";
  if (!parts.cause.empty()) text += "cause: " + parts.cause + "\n";
  if (!parts.diagnosis.empty()) text += parts.diagnosis + "\n";
  return text + "read: " + parts.read + "\nstuck? " + parts.hint;
}

}  // namespace kv::grader

#include "grader/program/report/report.h"

namespace kv::grader {

namespace {

// "2.4 free_blocks; fails through 2.2", if the cause is not in the test's own step.
std::string step_of(const LabResult& lab, const TestResult& test) {
  const StepSpec& step = lab.lab->step(test.spec->step);
  const StepSpec* costly = lab.costly_step(test);
  std::string elsewhere;
  if (test.cause && !test.cause->is_in(step.number)) elsewhere = test.cause->place;
  if (costly != nullptr && costly != &step) elsewhere = costly->number;
  return step.heading() + (elsewhere.empty() ? "" : "; fails through " + elsewhere);
}

}  // namespace

FailureParts failure_parts(const LabResult& lab, const TestResult& test) {
  const StepSpec& step = lab.lab->step(test.spec->step);
  const std::string folder = "labs/" + lab.lab->folder;
  std::string heading = test.verdict.heading.empty() ? step.heading() : test.verdict.heading;
  if (test.cause && !test.cause->heading.empty()) heading = test.cause->heading;
  if (const StepSpec* costly = lab.costly_step(test)) heading = costly->heading();
  return {.step = step_of(lab, test),
          .spec = test.verdict.spec,
          .wrong = test.verdict.headline,
          .cause = test.cause ? test.cause->text : "",
          .read = folder + "/README.md, \"" + heading + "\"",
          .hint = folder + "/HINTS.md, \"" + heading + "\", tier 1"};
}

std::string failure_text(const LabResult& lab, const TestResult& test) {
  const Verdict& verdict = test.verdict;
  if (verdict.status == Status::kNotStarted) return verdict.headline;
  const FailureParts parts = failure_parts(lab, test);
  std::string text = test.spec->name + "  (step " + parts.step + ")\n";
  if (!parts.spec.empty()) text += "this test checks: " + parts.spec + "\n";
  const std::string story = verdict.story.text();
  if (!story.empty()) text += "what the test did:\n" + indent(story, "  ");
  text += "what went wrong: " + parts.wrong + "\n";
  if (!verdict.advice.empty()) text += verdict.advice + "\n";
  if (!test.printed.empty()) text += "your code printed:\n" + indent(test.printed, "  ");
  if (!verdict.source.empty()) text += "test: " + verdict.source + "\n";
  if (!parts.cause.empty()) text += "cause: " + parts.cause + "\n";
  return text + "read: " + parts.read + "\nstuck? " + parts.hint;
}

std::string step_state(const LabResult& lab, const StepSpec& step, bool core) {
  const StepTally tally = lab.tally(step, core);
  if (!step.has_stub() && tally.points == 0) return "not done";
  if (tally.all_not_started || lab.is_open(step)) return "not started";
  return tally.all_pass ? "ok" : "wrong";
}

bool is_only_blamed(const LabResult& lab, const StepSpec& step) {
  return lab.is_blamed(step) && lab.tally(step, true).all_pass && lab.tally(step, false).all_pass;
}

}  // namespace kv::grader

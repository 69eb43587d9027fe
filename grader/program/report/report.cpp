#include "grader/program/report/report.h"

namespace kv::grader {

std::string failure_text(const LabResult& lab, const TestResult& test) {
  const Verdict& verdict = test.verdict;
  if (verdict.status == Status::kNotStarted) return verdict.headline;
  const StepSpec& step = lab.lab->step(test.spec->step);
  const std::string folder = "labs/" + lab.lab->folder;
  std::string text = test.spec->name + "  (step " + step.heading() + ")\n";
  if (!verdict.spec.empty()) text += "this test checks: " + verdict.spec + "\n";
  const std::string story = verdict.story.text();
  if (!story.empty()) text += "what the test did:\n" + indent(story, "  ");
  text += "what went wrong: " + verdict.headline + "\n";
  if (!verdict.advice.empty()) text += verdict.advice + "\n";
  if (!test.printed.empty()) text += "your code printed:\n" + indent(test.printed, "  ");
  if (!verdict.source.empty()) text += "test: " + verdict.source + "\n";
  const std::string heading = verdict.heading.empty() ? step.heading() : verdict.heading;
  text += "read: " + folder + "/README.md, \"" + heading + "\"\n";
  text += "stuck? " + folder + "/HINTS.md, \"" + heading + "\", tier 1";
  return text;
}

}  // namespace kv::grader

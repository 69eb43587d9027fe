#include "grader/program/report/report.h"

#include <algorithm>
#include <array>

namespace kv::grader {

const char* state_name(LabState state) {
  constexpr std::array kNames = {"done", "in progress", "not started", "does not compile",
                                 "not submitted"};
  return kNames.at(static_cast<std::size_t>(state));
}

int LabResult::points(bool core) const {
  int sum = 0;
  for (const TestResult& test : tests) sum += test.spec->is_core == core ? test.points() : 0;
  return sum;
}

std::optional<TestResult> LabResult::first_failure() const {
  const auto went_wrong = [](const TestResult& test) {
    const Status status = test.verdict.status;
    return status != Status::kPass && status != Status::kNotStarted;
  };
  const auto found = std::ranges::find_if(tests, went_wrong);
  if (found == tests.end()) return std::nullopt;
  return *found;
}

int Report::points(bool core) const {
  int sum = 0;
  for (const LabResult& lab : labs) sum += lab.points(core);
  return sum;
}

int Report::max_points(bool core) const {
  int sum = 0;
  for (const LabResult& lab : labs) sum += lab.lab->max_points(core);
  return sum;
}

std::string tell(const LabResult& lab, const TestResult& test) {
  const Verdict& verdict = test.verdict;
  if (verdict.status == Status::kNotStarted) return verdict.headline;
  const StepSpec& step = lab.lab->step(test.spec->step);
  const std::string folder = "labs/" + lab.lab->folder;
  std::string text = test.spec->name + "  (step " + step.heading() + ")\n";
  if (!verdict.spec.empty()) text += "this test checks: " + verdict.spec + "\n";
  const std::string story = verdict.story.text();
  if (!story.empty()) text += "what the test did:\n" + indent(story, "  ");
  text += "what went wrong: " + verdict.headline + "\n";
  if (!test.printed.empty()) text += "your code printed:\n" + indent(test.printed, "  ");
  const std::string heading = verdict.heading.empty() ? step.heading() : verdict.heading;
  text += "read: " + folder + "/README.md, \"" + heading + "\"\n";
  text += "stuck? " + folder + "/HINTS.md, \"" + heading + "\", tier 1";
  return text;
}

}  // namespace kv::grader

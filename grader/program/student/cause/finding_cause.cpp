#include <algorithm>
#include <set>
#include <utility>

#include "common/cpptext/functions.h"
#include "grader/program/student/cause/cause.h"

namespace kv::grader::cause {
namespace {

// The lines of a step's function in the student's file.
struct StepLines {
  const StepSpec* step;
  int first = 0, last = 0;
};

std::vector<StepLines> lines_of_steps(const fs::path& student, const LabSpec& lab) {
  std::vector<StepLines> lines;
  for (const StepSpec& step : lab.steps) {
    const std::string source = read_file(student / lab.folder / step.file);
    const auto function = find_function(source, step.name);
    if (!function) continue;
    const auto line_at = [&](std::size_t offset) {
      return 1 + static_cast<int>(std::ranges::count(source.substr(0, offset), '\n'));
    };
    lines.push_back({&step, line_at(function->begin), line_at(function->close)});
  }
  return lines;
}

// The step in whose function the first finding of a failing test is, or nullptr.
const StepSpec* step_of_finding(const TestResult& test, const std::vector<StepLines>& lines) {
  const auto& findings = test.verdict.kernel_lines.findings;
  if (!test.failed() || findings.empty()) return nullptr;
  const KernelFinding& finding = findings.front();
  const auto found = std::ranges::find_if(lines, [&](const StepLines& each) {
    return fs::path(finding.file).filename() == each.step->file && finding.line >= each.first &&
           finding.line <= each.last;
  });
  return found == lines.end() ? nullptr : found->step;
}

}  // namespace

void add_causes_of_findings(const fs::path& student, LabResult& result) {
  const std::vector<StepLines> lines = lines_of_steps(student, *result.lab);
  std::vector<std::pair<TestResult*, const StepSpec*>> elsewhere;
  std::set<const StepSpec*> broken;  // a test of their own has a finding in them
  for (TestResult& test : result.tests) {
    const StepSpec* step = step_of_finding(test, lines);
    if (step == nullptr) continue;
    if (step->number == test.spec->step)
      broken.insert(step);
    else
      elsewhere.emplace_back(&test, step);
  }
  for (const auto& [test, step] : elsewhere) {
    if (!broken.contains(step)) continue;
    test->cause = {.steps = {step->number},
                   .place = step->number,
                   .heading = step->heading(),
                   .text = "step " + step->heading() +
                           " (the finding is in its lines, and so is one of its own tests)"};
  }
}

}  // namespace kv::grader::cause

#include <algorithm>
#include <set>
#include <utility>

#include "base/cpp_text/functions.h"
#include "base/cpp_text/lexer.h"
#include "grader/engine/cause/cause.h"

namespace kv::grader::cause {
namespace {

// The lines of a step's function in the student's file, and the names that it calls.
struct StepLines {
  const StepSpec* step;
  int first = 0, last = 0;
  std::set<std::string> called = {};
};

std::set<std::string> called_in(const std::string& source, const FunctionText& function) {
  std::set<std::string> names;
  const auto tokens = tokenize(source, function.open, function.close, Directives::kSkip);
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool is_called = tokens[i + 1].is("(") || tokens[i + 1].is("<");
    if (is_called && tokens[i].kind == TokenKind::kWord) names.emplace(tokens[i].text);
  }
  return names;
}

std::vector<StepLines> lines_of_steps(const fs::path& student, const LabSpec& lab) {
  std::vector<StepLines> lines;
  for (const StepSpec& step : lab.steps) {
    const std::string source = read_file(student / lab.folder / step.file);
    const auto function = find_function(source, step.name);
    if (!function) continue;
    const auto line_at = [&](std::size_t offset) {
      return 1 + static_cast<int>(std::ranges::count(source.substr(0, offset), '\n'));
    };
    lines.push_back(
        {&step, line_at(function->begin), line_at(function->close), called_in(source, *function)});
  }
  return lines;
}

// The step in whose function the first finding of a failing test is, or nullptr.
const StepLines* step_of_finding(const TestResult& test, const std::vector<StepLines>& lines) {
  const auto& findings = test.verdict.kernel_lines.findings;
  if (!test.failed() || findings.empty()) return nullptr;
  const KernelFinding& finding = findings.front();
  const auto found = std::ranges::find_if(lines, [&](const StepLines& each) {
    return fs::path(finding.file).filename() == each.step->file && finding.line >= each.first &&
           finding.line <= each.last;
  });
  return found == lines.end() ? nullptr : &*found;
}

// Does it call the function of another step that fails a test of its own? Then the finding may be
// of that one: what it has not waited for, or not written, is read here.
bool calls_a_failing_step(const StepLines& lines, const LabResult& result) {
  return std::ranges::any_of(result.tests, [&](const TestResult& test) {
    const StepSpec& step = result.lab->step(test.spec->step);
    return test.failed() && &step != lines.step && lines.called.contains(step.name);
  });
}

}  // namespace

void add_causes_of_findings(const fs::path& student, LabResult& result) {
  const std::vector<StepLines> lines = lines_of_steps(student, *result.lab);
  std::vector<std::pair<TestResult*, const StepSpec*>> elsewhere;
  std::set<const StepSpec*> broken;  // a test of their own has a finding in them
  for (TestResult& test : result.tests) {
    const StepLines* place = step_of_finding(test, lines);
    if (place == nullptr || calls_a_failing_step(*place, result)) continue;
    const StepSpec* step = place->step;
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

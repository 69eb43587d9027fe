#include <algorithm>
#include <map>

#include "base/text/errors.h"
#include "grader/engine/report/grading_run.h"
#include "grader/engine/report/report.h"

namespace kv::grader {
namespace {

const std::string kTogether = "together with your other labs: ";

void note_findings(const LabResult& other, LabResult& result) {
  std::map<std::string, int> num_tests;  // by finding: one bug may fail many tests
  for (const TestResult& test : other.tests) {
    if (test.verdict.status == Status::kSanitizer) ++num_tests[test.verdict.headline];
  }
  for (const auto& [finding, num] : num_tests) {
    result.notes.push_back("sanitizer, in " + std::to_string(num) + " tests: " + finding);
  }
  if (num_tests.empty()) result.notes.push_back("sanitizers: no findings");
}

// The first step of another lab that a test waits for; empty if there is none.
std::string unwritten_elsewhere(const LabResult& other, const LabResult& result) {
  std::string first;
  for (std::size_t i = 0; i < other.tests.size(); ++i) {
    const std::string& step = other.tests[i].verdict.unwritten;
    const bool is_elsewhere = !step.empty() && step != result.tests[i].verdict.unwritten;
    if (is_elsewhere && (first.empty() || step_before(step, first))) first = step;
  }
  return first;
}

void note_score(const LabResult& other, LabResult& result) {
  std::string note = kTogether + std::to_string(other.points(true)) +
                     " core points, alone: " + std::to_string(result.points(true));
  if (!other.message.empty()) note += "\n" + other.message;
  if (const std::string step = unwritten_elsewhere(other, result); !step.empty()) {
    note += "\nneeds " + step + ", which is not written";
  }
  if (const auto failure = other.first_failure(); failure && !result.first_failure()) {
    note += "\n" + failure_text(other, *failure);
  }
  result.notes.push_back(note);
}

}  // namespace

AdvisoryRun::AdvisoryRun(const Kit& kit, const Submission& submission, const BuildOptions& options)
    : kit_(kit),
      submission_(submission),
      options_(options),
      stage_(options.sanitize ? submission.stage : kit.build / "together-stage"),
      tree_(kit, options.sanitize ? "sanitized" : "together", stage_, options) {}

void AdvisoryRun::add_notes(const SubmittedLab& submitted,
                            RunOptions run_options,
                            LabResult& result) {
  if (!result.was_run()) return;
  try {
    if (options_.together) submission_ = stage_together(kit_, submission_, stage_);
    if (!submission_.has_staged(*submitted.lab)) {
      return result.notes.push_back(kTogether + "not tested, as a file of them is missing");
    }
    add_result(submitted, run_options, result);
  } catch (const MachineFailed& error) {  // the score, from another build, counts
    result.notes.push_back(std::string(options_.sanitize ? "--sanitize" : "--together") +
                           " could not run: " + error.what());
  }
}

void AdvisoryRun::explain_crash(RunOptions run_options, LabResult& result) {
  const auto failure = std::ranges::find_if(result.tests, &TestResult::failed);
  if (failure == result.tests.end() || failure->verdict.advice.empty()) return;
  constexpr double kPatienceSeconds = 10;
  const std::string program = "lab" + result.lab->id + "_tests";
  try {
    tree_.configure();
    if (!tree_.build(program, {}, kPatienceSeconds).ok()) return;
  } catch (const std::exception&) {
    return;  // Why: it is no part of the score.
  }
  run_options.sanitized = true;
  const Verdict again = run_test(kit_, *result.lab, tree_.program(program), *failure->spec,
                                 failure->spec->cpu_seconds, run_options)
                            .verdict;
  if (again.status != Status::kSanitizer) return;
  std::string& headline = failure->verdict.headline;
  headline =
      headline.substr(0, headline.find(": ") + 2) + submission_.with_own_paths(again.headline);
  failure->verdict.advice.clear();
}

void AdvisoryRun::add_result(const SubmittedLab& submitted,
                             RunOptions run_options,
                             LabResult& result) {
  tree_.configure();
  run_options.sanitized = options_.sanitize;
  LabResult other = grade_lab(kit_, tree_, submission_, submitted, run_options);
  for (TestResult& test : other.tests) {
    test.verdict.headline = submission_.with_own_paths(test.verdict.headline);
  }
  options_.sanitize ? note_findings(other, result) : note_score(other, result);
}

}  // namespace kv::grader

#include "grader/program/maintainer/check/mutant_run.h"

#include <algorithm>

#include "grader/program/maintainer/check/joint_tree.h"

namespace kv::grader {
namespace {

// Why so little: mutants that hang take most of the time of these runs.
constexpr double kOneTestSeconds = 0.5;
constexpr double kHistorySeconds = 20;

RunOptions options_of(const Kit& kit, int mutant) {
  RunOptions options{.seed = kit.manifest.seed, .environment = {{"KV_SHRINK", "0"}}};
  JointTree::choose(mutant, options);
  return options;
}

}  // namespace

MutantRun::MutantRun(const Kit& kit, const LabSpec& lab, const fs::path& program, int mutant)
    : kit_(kit), lab_(lab), program_(program), options_(options_of(kit, mutant)) {}

bool MutantRun::fails_tests_of(const Signature& bug, double cpu_seconds) {
  const auto is_of_bug = [&](const std::string& test) { return bug.failing.contains(test); };
  const auto fails = [&](const auto& test) { return message_of(test.first).has_value(); };
  if (!std::ranges::all_of(failing_, is_of_bug)) return false;
  if (!std::ranges::all_of(bug.failing, fails)) return false;
  const Outcome others = all_but(bug.failing, cpu_seconds);
  note_failures(others.output);
  return others.ok();
}

// Why: most runs of many tests are for a mutant that fails a test which is known by then.
void MutantRun::note_failures(const std::string& output) {
  constexpr std::string_view kFailed = "[  FAILED  ] ";
  for (const TestSpec& test : lab_.tests)
    if (output.find(std::string(kFailed) + test.name + "\n") != output.npos)
      failing_.insert(test.name);
}

bool MutantRun::has_messages_of(const Signature& bug) {
  const auto has_message_of = [&](const auto& test) {
    const std::string message = message_of(test.first).value();
    return message == test.second || !(is_message(message) || is_message(test.second));
  };
  return std::ranges::all_of(bug.failing, has_message_of);
}

const std::optional<std::string>& MutantRun::message_of(const std::string& test) {
  const auto known = messages_.find(test);
  if (known != messages_.end()) return known->second;
  const auto spec = std::ranges::find(lab_.tests, test, &TestSpec::name);
  LabResult result{.lab = &lab_, .state = LabState::kInProgress};
  result.tests.push_back(run_test(kit_, lab_, program_, *spec, kOneTestSeconds, options_));
  const auto failing = failing_tests(result);
  std::optional<std::string> message;
  if (!failing.empty()) message = failing.begin()->second;
  return messages_[test] = message;
}

Outcome MutantRun::all_but(const std::map<std::string, std::string>& left_out,
                           double cpu_seconds) const {
  std::vector<std::string> others;
  for (const TestSpec& test : lab_.tests)
    if (!test.is_history() && !left_out.contains(test.name)) others.push_back(test.name);
  Command command = test_command(kit_, lab_, program_, join(others, ":"), cpu_seconds, options_);
  command.argv.push_back("--gtest_fail_fast");
  return run(command);
}

HistoryBreak MutantRun::break_in(const TestSpec& history) const {
  const TestResult result = run_test(kit_, lab_, program_, history, kHistorySeconds, options_);
  if (!result.failed()) return {};
  return {&history, result.verdict.history, result.verdict.headline};
}

HistoryBreak MutantRun::first_break() const {
  for (const TestSpec& test : lab_.tests) {
    if (!test.is_history()) continue;
    const HistoryBreak broken = break_in(test);
    if (broken.test != nullptr) return broken;
  }
  return {};
}

}  // namespace kv::grader

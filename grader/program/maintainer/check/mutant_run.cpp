#include "grader/program/maintainer/check/mutant_run.h"

#include <algorithm>

#include "common/errors.h"
#include "grader/program/maintainer/check/joint_tree.h"

namespace kv::grader {
namespace {

// Why so little: mutants that hang take most of the time of these runs.
constexpr double kOneTestSeconds = 0.5;
constexpr double kHistorySeconds = 20;

constexpr std::size_t kTestsOfAGroup = 12;
constexpr double kSolutionSeconds = 60;
constexpr double kSolutionTimes = 2;  // that a mutant may take
constexpr double kMoreSeconds = 0.3;

RunOptions options_of(const Kit& kit, int mutant) {
  RunOptions options{.seed = kit.manifest.seed, .environment = {{"KV_SHRINK", "0"}}};
  JointTree::choose(mutant, options);
  return options;
}

bool is_same_message(const std::string& a, const std::string& b) {
  return a == b || !(is_message(a) || is_message(b));
}

}  // namespace

std::vector<TestGroup> groups_of_tests(const Kit& kit,
                                       const LabSpec& lab,
                                       const fs::path& program) {
  std::vector<TestGroup> groups;
  for (const TestSpec& test : lab.tests) {
    if (test.is_history()) continue;
    if (groups.empty() || groups.back().tests.size() == kTestsOfAGroup)
      groups.push_back({.tests = {}, .max_cpu_seconds = kSolutionSeconds});
    groups.back().tests.push_back(test.name);
  }
  for (TestGroup& group : groups) {
    const Outcome solution = MutantRun(kit, lab, program, 0).all_but({}, group);
    if (!solution.ok()) throw KitBroken("lab " + lab.id + " fails its tests with no mutant active");
    group.max_cpu_seconds = kSolutionTimes * solution.seconds + kMoreSeconds;
  }
  return groups;
}

MutantRun::MutantRun(const Kit& kit, const LabSpec& lab, const fs::path& program, int mutant)
    : kit_(kit), lab_(lab), program_(program), options_(options_of(kit, mutant)) {}

bool MutantRun::looks_like(const Signature& bug, const std::vector<TestGroup>& groups) {
  const auto is_of_bug = [&](const std::string& test) { return bug.failing.contains(test); };
  if (!std::ranges::all_of(failing_, is_of_bug)) return false;
  bool has_passed_others = false;
  for (const auto& [test, message] : bug.failing) {
    const std::optional<std::string>& mine = message_of(test);
    if (!mine.has_value() || !is_same_message(*mine, message)) return false;
    // Why so soon: a mutant that hangs in one test hangs in others, and each takes long.
    if (*mine != kAtTimeLimit || has_passed_others) continue;
    if (!passes_others(bug, groups)) return false;
    has_passed_others = true;
  }
  return has_passed_others || passes_others(bug, groups);
}

bool MutantRun::passes_others(const Signature& bug, const std::vector<TestGroup>& groups) {
  return std::ranges::all_of(groups, [&](const TestGroup& group) {
    const Outcome others = all_but(bug.failing, group);
    note_failures(others.output);
    return others.ok();
  });
}

// Why: most runs of many tests are for a mutant that fails a test which is known by then. The test
// that begins last and does not pass hangs, or crashes.
void MutantRun::note_failures(const std::string& output) {
  constexpr std::string_view kBegins = "[ RUN      ] ";
  constexpr std::string_view kPassed = "[       OK ] ";
  const std::size_t begin = output.rfind(kBegins);
  if (begin == output.npos) return;
  const std::size_t name = begin + kBegins.size();
  const std::string test = output.substr(name, output.find('\n', name) - name);
  const bool has_passed = output.find(std::string(kPassed) + test + " (", name) != output.npos;
  if (!has_passed) failing_.insert(test);
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
  if (message.has_value()) failing_.insert(test);
  return messages_[test] = message;
}

Outcome MutantRun::all_but(const std::map<std::string, std::string>& left_out,
                           const TestGroup& group) const {
  std::vector<std::string> others;
  for (const std::string& test : group.tests)
    if (!left_out.contains(test)) others.push_back(test);
  if (others.empty()) return {};
  Command command =
      test_command(kit_, lab_, program_, join(others, ":"), group.max_cpu_seconds, options_);
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

#include "grader/proof/check/mutant_run.h"

#include <algorithm>

#include "base/process/parallel.h"
#include "base/text/errors.h"
#include "grader/proof/check/joint_tree.h"

namespace kv::grader {
namespace {

// Why so little: mutants that hang take most of the time of these runs.
constexpr double kOneTestSeconds = 0.5;
constexpr double kHistorySeconds = 20;

constexpr std::size_t kTestsOfAGroup = 12;
constexpr double kSolutionSeconds = 60;
constexpr double kSolutionTimes = 2;  // that a mutant may take
constexpr double kMoreSeconds = 0.3;

double most_seconds(double of_solution) {
  return kSolutionTimes * of_solution + kMoreSeconds;
}

RunOptions options_of(const Kit& kit, int mutant) {
  RunOptions options{.seed = kit.manifest.seed, .environment = {{"KV_SHRINK", "0"}}};
  JointTree::choose(mutant, options);
  return options;
}

bool is_same_message(const std::string& a, const std::string& b) {
  return a == b || !(is_message(a) || is_message(b));
}

}  // namespace

std::vector<TimedTest> timed_tests(const Kit& kit, const LabSpec& lab, const fs::path& program) {
  const LabSpec others = lab.with_tests([](const TestSpec& test) { return !test.is_history(); });
  std::vector<TimedTest> tests(others.tests.size());
  in_parallel(tests.size(), [&](std::size_t i) {
    const std::string& name = others.tests[i].name;
    const Outcome alone = run(test_command(kit, lab, program, name, kSolutionSeconds,
                                           options_of(kit, JointTree::kSolution)));
    if (!alone.ok()) throw KitBroken("lab " + lab.id + " fails " + name + " with no mutant active");
    tests[i] = {name, alone.seconds};
  });
  std::ranges::stable_sort(tests, {}, &TimedTest::cpu_seconds);
  return tests;
}

std::vector<TestGroup> groups_of(const std::vector<TimedTest>& tests) {
  std::vector<TestGroup> groups;
  for (const TimedTest& test : tests) {
    if (groups.empty() || groups.back().tests.size() == kTestsOfAGroup) groups.emplace_back();
    groups.back().tests.push_back(test.name);
    groups.back().max_cpu_seconds += test.cpu_seconds;
  }
  for (TestGroup& group : groups) group.max_cpu_seconds = most_seconds(group.max_cpu_seconds);
  return groups;
}

MutantRun::MutantRun(const Kit& kit, const LabSpec& lab, const fs::path& program, int mutant)
    : kit_(kit), lab_(lab), program_(program), options_(options_of(kit, mutant)) {}

std::vector<TimedTest> MutantRun::failing_among(const std::vector<TimedTest>& tests) const {
  std::vector<TimedTest> failing;
  for (const TimedTest& test : tests)
    if (!run_together({test.name}, most_seconds(test.cpu_seconds)).ok()) failing.push_back(test);
  return failing;
}

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
    std::vector<std::string> tests = group.tests;
    std::erase_if(tests, [&](const std::string& test) { return bug.failing.contains(test); });
    if (tests.empty()) return true;
    const Outcome others = run_together(tests, group.max_cpu_seconds);
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

Outcome MutantRun::run_together(const std::vector<std::string>& tests,
                                double max_cpu_seconds) const {
  Command command = test_command(kit_, lab_, program_, join(tests, ":"), max_cpu_seconds, options_);
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

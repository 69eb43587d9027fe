#pragma once
// Runs tests of one mutant in a program that has many.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/engine/grading/grade_lab.h"
#include "grader/engine/grading/signatures.h"

namespace kv::grader {

// How the first random history breaks that does.
struct HistoryBreak {
  const TestSpec* test = nullptr;  // nullptr: none breaks
  std::string calls = {};
  std::string message = {};

  bool operator==(const HistoryBreak&) const = default;
};

// A test and how long the solution takes in it. Histories are not among them: they take most of the
// time of a lab.
struct TimedTest {
  std::string name;
  double cpu_seconds;
};

// The quick ones first. Throws KitBroken if the solution fails one.
std::vector<TimedTest> timed_tests(const Kit& kit, const LabSpec& lab, const fs::path& program);

// Tests that run in one process.
struct TestGroup {
  std::vector<std::string> tests = {};
  double max_cpu_seconds = 0;  // the most that a mutant gets for all of them
};

// Why groups: a mutant that hangs is stopped early.
std::vector<TestGroup> groups_of(const std::vector<TimedTest>& tests);

class MutantRun {
 public:
  // mutant: 0 is the unchanged solution.
  MutantRun(const Kit& kit, const LabSpec& lab, const fs::path& program, int mutant);

  std::vector<TimedTest> failing_among(const std::vector<TimedTest>& tests) const;

  // Exactly the tests of the bug fail, of these and its own, and with its messages.
  bool looks_like(const Signature& bug, const std::vector<TestGroup>& groups);

  HistoryBreak break_in(const TestSpec& history) const;
  HistoryBreak first_break() const;

 private:
  bool passes_others(const Signature& bug, const std::vector<TestGroup>& groups);
  // Runs the tests up to the first failure.
  Outcome run_together(const std::vector<std::string>& tests, double max_cpu_seconds) const;
  const std::optional<std::string>& message_of(const std::string& test);  // nullopt: it passes
  void note_failures(const std::string& output);

  const Kit& kit_;
  const LabSpec& lab_;
  const fs::path& program_;
  RunOptions options_;
  std::map<std::string, std::optional<std::string>> messages_ = {};  // one for each test that ran
  std::set<std::string> failing_ = {};  // tests that failed alone or in a run of many
};

}  // namespace kv::grader

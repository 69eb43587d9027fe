#pragma once
// Runs tests of one mutant in a program that has many.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "grader/program/student/grading/grade_lab.h"
#include "grader/program/student/grading/signatures.h"

namespace kv::grader {

// How the first random history breaks that does.
struct HistoryBreak {
  const TestSpec* test = nullptr;  // nullptr: none breaks
  std::string calls = {};
  std::string message = {};

  bool operator==(const HistoryBreak&) const = default;
};

// Tests that run in one process. Histories are in none: they take most of the time of a lab.
struct TestGroup {
  std::vector<std::string> tests;
  double max_cpu_seconds;  // of a mutant
};

// Why groups: a mutant that hangs is stopped early. Throws KitBroken if the solution fails a test.
std::vector<TestGroup> groups_of_tests(const Kit& kit, const LabSpec& lab, const fs::path& program);

class MutantRun {
 public:
  // mutant: 0 is the unchanged solution.
  MutantRun(const Kit& kit, const LabSpec& lab, const fs::path& program, int mutant);

  // Exactly the tests of the bug fail, of these and its own, and with its messages.
  bool looks_like(const Signature& bug, const std::vector<TestGroup>& groups);

  // Runs the tests of the group up to the first failure, without these.
  Outcome all_but(const std::map<std::string, std::string>& left_out, const TestGroup& group) const;

  HistoryBreak break_in(const TestSpec& history) const;
  HistoryBreak first_break() const;

 private:
  bool passes_others(const Signature& bug, const std::vector<TestGroup>& groups);
  const std::optional<std::string>& message_of(const std::string& test);  // nullopt: it passes
  void note_failures(const std::string& output);

  const Kit& kit_;
  const LabSpec& lab_;
  const fs::path& program_;
  RunOptions options_;
  std::map<std::string, std::optional<std::string>> messages_ = {};  // of the tests that have run
  std::set<std::string> failing_ = {};  // of these, and of runs of many tests
};

}  // namespace kv::grader

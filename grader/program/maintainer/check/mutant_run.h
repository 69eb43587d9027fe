#pragma once
// Runs tests of one mutant in a program that has many.

#include <map>
#include <optional>
#include <set>
#include <string>

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

class MutantRun {
 public:
  // mutant: 0 is the unchanged solution.
  MutantRun(const Kit& kit, const LabSpec& lab, const fs::path& program, int mutant);

  // Exactly the tests of the bug fail. cpu_seconds: for all that have to pass.
  bool fails_tests_of(const Signature& bug, double cpu_seconds);
  bool has_messages_of(const Signature& bug);

  // Runs all tests but these, up to the first failure. Histories never run: they take most of the
  // time of a lab.
  Outcome all_but(const std::map<std::string, std::string>& left_out, double cpu_seconds) const;

  HistoryBreak break_in(const TestSpec& history) const;
  HistoryBreak first_break() const;

 private:
  const std::optional<std::string>& message_of(const std::string& test);  // nullopt: it passes
  void note_failures(const std::string& output);

  const Kit& kit_;
  const LabSpec& lab_;
  const fs::path& program_;
  RunOptions options_;
  std::map<std::string, std::optional<std::string>> messages_ = {};  // of the tests that have run
  std::set<std::string> failing_ = {};                               // in runs of many tests
};

}  // namespace kv::grader

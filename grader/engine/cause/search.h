#pragma once
// The search for the cause of a failing test (cause.h), with a program in which single functions of
// the student and of the solution are exchanged.

#include <atomic>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "grader/engine/cause/mixed_program.h"

namespace kv::grader::cause {

struct OutOfTime {};  // the processor time is used up

using Units = std::vector<Unit>;

class Search {
 public:
  Search(const MixedProgram& program,
         const LabResult& result,
         const RunOptions& options,
         double cpu_seconds)
      : program_(program), result_(result), options_(options), budget_(cpu_seconds) {}

  // Empty if no set of units explains the failure. Throws OutOfTime.
  Units cause_of(const TestResult& test, const Units& units);

 private:
  using Functions = std::set<std::string>;

  // Everything is the student's except these units.
  Functions all_but(const Units& units) const;
  Outcome run(const std::string& filter,
              const Functions& from_student,
              double cpu_seconds,
              const RunOptions& options);
  Outcome run(const TestResult& test, const Functions& from_student, double cpu_seconds);
  bool passes(const TestResult& test, const Functions& from_student, double cpu_seconds);
  Units suspects(const TestResult& test, std::span<const Unit> units, double cpu_seconds);
  bool explains(const Units& units, const TestResult& test, double cpu_seconds);
  bool pass_all(const std::vector<const TestResult*>& tests, const Units& units);
  bool breaks_nothing(const Units& units);
  Units new_cause(const TestResult& test, std::span<const Unit> units, double cpu_seconds);
  double seconds_left() const;
  void charge(double seconds);

  const MixedProgram& program_;
  const LabResult& result_;
  RunOptions options_;
  double budget_;                  // processor time
  std::atomic<double> spent_ = 0;  // processor time so far; threads add to it
  std::vector<Units> found_ = {};
};

// Runs the tests in a few processes, as many at a time as there are cores: faster, where nobody
// asks which one fails. `passes` runs those that a filter names.
bool pass_together(const std::vector<std::string>& tests,
                   const std::function<bool(const std::string& filter)>& passes);

}  // namespace kv::grader::cause

#pragma once
// Grades one lab: builds it by itself and runs each test in a process of its own.

#include <chrono>
#include <functional>
#include <map>
#include <optional>

#include "base/builds/build_tree.h"
#include "grader/engine/grading/results.h"

namespace kv::grader {

struct RunOptions {
  std::uint64_t seed = 0;
  std::optional<double> cpu_seconds = {};  // instead of each test's own limit
  bool sanitized = false;
  std::optional<std::chrono::steady_clock::time_point> deadline = {};  // then no test begins
  std::map<std::string, std::string> environment = {};                 // added to that of the tests
  // The tests of this step run before all others, and on_first_step gets their results then.
  std::string first_step = {};
  std::function<void(const std::vector<TestResult>&)> on_first_step = {};

  bool is_over() const { return deadline && std::chrono::steady_clock::now() >= *deadline; }
};

// Builds and tests one lab of a submission that is staged and configured.
LabResult grade_lab(const Kit& kit,
                    BuildTree& tree,
                    const Submission& submission,
                    const SubmittedLab& submitted,
                    const RunOptions& options);

// The same of a lab whose files are still the kit's stubs: that no test can pass is known from
// their text, so nothing is built. Only a run can find out which lines a test reaches before it
// stops.
LabResult not_started_lab(const SubmittedLab& submitted);

// Runs all tests of a built lab, as many at a time as there are cores, in the order of the
// manifest. The results have this order too when a step is tested first.
std::vector<TestResult> run_tests(const Kit& kit,
                                  BuildTree& tree,
                                  const LabSpec& lab,
                                  const RunOptions& options);

// Runs one test of a built program.
TestResult run_test(const Kit& kit,
                    const LabSpec& lab,
                    const fs::path& program,
                    const TestSpec& test,
                    double cpu_seconds,
                    const RunOptions& options);

// A program with a student's files, under limits, that reads the build folder and the system only.
Command isolated_command(const Kit& kit,
                         const LabSpec& lab,
                         const std::vector<std::string>& argv,
                         double cpu_seconds,
                         const RunOptions& options);

// A test program of this kind, with the tests that the filter names.
Command test_command(const Kit& kit,
                     const LabSpec& lab,
                     const fs::path& program,
                     const std::string& filter,
                     double cpu_seconds,
                     const RunOptions& options);

}  // namespace kv::grader

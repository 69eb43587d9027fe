#pragma once
// Grades a tree: builds each lab by itself, runs each test in a process of its own.

#include <functional>
#include <map>
#include <optional>

#include "grader/program/kit/build_tree.h"
#include "grader/program/report/report.h"

namespace kv::grader {

struct RunOptions {
  std::uint64_t seed = 0;
  std::optional<double> cpu_seconds = {};  // instead of each test's own limit
  bool sanitized = false;
  std::map<std::string, std::string> environment = {};  // added to that of the tests
};

// Builds and tests one lab of a submission that is staged and configured.
LabResult grade_lab(const Kit& kit,
                    BuildTree& tree,
                    const Submission& submission,
                    const SubmittedLab& submitted,
                    const RunOptions& options);

// A test program under limits, with the tests that the filter names.
Command test_command(const Kit& kit,
                     const fs::path& program,
                     const std::string& filter,
                     double cpu_seconds,
                     const RunOptions& options);

// Runs all tests of a built lab, as many at a time as there are cores, in the order of the
// manifest.
std::vector<TestResult> run_tests(const Kit& kit,
                                  BuildTree& tree,
                                  const LabSpec& lab,
                                  const RunOptions& options);

// What an instructor should look at: references that an honest solution has no use for.
std::vector<std::string> flags_of(const fs::path& objects_folder);

struct GradeOptions {
  std::vector<std::string> lab_ids = {};  // empty: all
  std::string tree = "starter";
  bool together = false;
  bool sanitize = false;
  std::optional<std::uint64_t> seed = {};
  std::optional<int> cpu_seconds = {};
  bool all_failures = false;
  bool strict = false;
  std::string json_file = {};
  std::string junit_file = {};
};

// `./lab grade`: the exit code.
int grade_command(const Kit& kit, const GradeOptions& options);

}  // namespace kv::grader

#include <mutex>

#include "grader/program/base/parallel.h"
#include "grader/program/grading/grade.h"

namespace kv::grader {
namespace {

// Why 20: a slow machine is slow for the solution too, and nothing graded here is a race.
constexpr double kSolutionTimes = 20;

TestResult run_test(const Kit& kit,
                    const fs::path& program,
                    const TestSpec& test,
                    double cpu_seconds,
                    const RunOptions& options) {
  Command command = test_command(kit, program, test.name, cpu_seconds, options);
  command.has_channel = true;
  const Outcome outcome = run(command);
  constexpr std::size_t kMaxPrintedBytes = 2000;
  return {.spec = &test,
          .verdict = judge(outcome, test.name, options.sanitized),
          .seconds = outcome.seconds,
          .printed = printable(outcome.output, kMaxPrintedBytes)};
}

TestResult run_with_fair_limit(const Kit& kit,
                               BuildTree& tree,
                               const LabSpec& lab,
                               const TestSpec& test,
                               const RunOptions& options) {
  const std::string name = "lab" + lab.id;
  const double limit = options.cpu_seconds.value_or(test.cpu_seconds);
  TestResult result = run_test(kit, tree.program(name + "_tests"), test, limit, options);
  if (result.verdict.status != Status::kTimeout || options.cpu_seconds) return result;
  static std::mutex one_build;
  const std::lock_guard guard(one_build);
  if (!tree.build(name + "_reference").ok()) return result;
  const double solution_seconds =
      run_test(kit, tree.program(name + "_reference"), test, kSolutionTimes * limit, options)
          .seconds;
  if (kSolutionTimes * solution_seconds <= limit) return result;
  return run_test(kit, tree.program(name + "_tests"), test, kSolutionTimes * solution_seconds,
                  options);
}

}  // namespace

Command test_command(const Kit& kit,
                     const fs::path& program,
                     const std::string& filter,
                     double cpu_seconds,
                     const RunOptions& options) {
  Limits limits{.cpu_seconds = cpu_seconds};
  // Why none: AddressSanitizer reserves terabytes of address space and uses few of them.
  if (!options.sanitized) limits.memory_bytes = kit.manifest.memory_bytes;
  Command command{.argv = {program.string(), "--gtest_filter=" + filter},
                  .environment = {{"KV_SEED", std::to_string(options.seed)},
                                  {"ASAN_OPTIONS", "exitcode=77:hard_rss_limit_mb=1024"},
                                  {"UBSAN_OPTIONS", "exitcode=77"}},
                  .limits = limits};
  command.environment.insert(options.environment.begin(), options.environment.end());
  return command;
}

std::vector<TestResult> run_tests(const Kit& kit,
                                  BuildTree& tree,
                                  const LabSpec& lab,
                                  const RunOptions& options) {
  std::vector<TestResult> results(lab.tests.size());
  in_parallel(results.size(), [&](std::size_t i) {
    results[i] = run_with_fair_limit(kit, tree, lab, lab.tests[i], options);
  });
  return results;
}

}  // namespace kv::grader

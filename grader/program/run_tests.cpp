#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "grader/program/grade.h"

namespace kv::grader {
namespace {

// Why 20: a slow machine is slow for the solution too, and nothing graded here is a race.
constexpr double kSolutionTimes = 20;

TestResult run_test(const Kit& kit,
                    const fs::path& program,
                    const TestSpec& test,
                    double cpu_seconds,
                    const RunOptions& options) {
  Limits limits{.cpu_seconds = cpu_seconds};
  // Why none: AddressSanitizer reserves terabytes of address space and uses few of them.
  if (!options.sanitized) limits.memory_bytes = kit.manifest.memory_bytes;
  const Outcome outcome =
      run({.argv = {program.string(), "--gtest_filter=" + test.name},
           .environment = {{"KV_SEED", std::to_string(options.seed)},
                           {"ASAN_OPTIONS", "exitcode=77:hard_rss_limit_mb=1024"},
                           {"UBSAN_OPTIONS", "exitcode=77"}},
           .limits = limits,
           .has_channel = true});
  constexpr std::size_t kMaxPrintedBytes = 2000;
  return {.spec = &test,
          .verdict = judge(outcome, test.name, options.sanitized),
          .seconds = outcome.seconds,
          .printed = printable(outcome.output, kMaxPrintedBytes)};
}

TestResult run_fairly(const Kit& kit,
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

std::vector<TestResult> run_tests(const Kit& kit,
                                  BuildTree& tree,
                                  const LabSpec& lab,
                                  const RunOptions& options) {
  std::vector<TestResult> results(lab.tests.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < results.size(); i = next++) {
      results[i] = run_fairly(kit, tree, lab, lab.tests[i], options);
    }
  };
  std::vector<std::thread> workers;
  while (workers.size() < std::max(1u, std::thread::hardware_concurrency())) {
    workers.emplace_back(work);
  }
  for (std::thread& worker : workers) worker.join();
  return results;
}

}  // namespace kv::grader

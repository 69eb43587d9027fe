#include "grader/program/student/gpu/gpu_tests.h"

#include <cmath>

#include "grader/program/base/process/parallel.h"
#include "grader/program/student/gpu/bandwidth.h"
#include "grader/program/student/gpu/nvcc.h"
#include "grader/program/student/grading/grade_lab.h"

namespace kv::grader {
namespace {

constexpr const char* kValues = "values on the GPU";
constexpr const char* kSanitizer = "compute-sanitizer";
constexpr const char* kBandwidth = "bandwidth on the GPU";

struct GpuRun {
  std::vector<std::string> passed, failed;
  int num_counting = 0;  // tests of what is moved: a GPU does not count it for them
};

// Each test in a process of its own: after an error in a kernel, CUDA refuses all further calls.
// Why without the limits of other tests: CUDA needs the files of its driver, and more addresses
// than there is memory.
GpuRun run_on_gpu(const fs::path& program, const LabResult& result) {
  constexpr int kCountsTraffic = 3;      // from simt/gpu/session.cpp
  constexpr double kSecondsOnGpu = 120;  // most of it for CUDA to start, beside other tests
  std::vector<std::string> names;
  for (const TestResult& test : result.tests) {
    if (test.verdict.status == Status::kPass) names.push_back(test.spec->name);
  }
  std::vector<int> exit_codes(names.size());
  in_parallel(names.size(), [&](std::size_t i) {
    exit_codes[i] = run({.argv = {program.string(), "--gtest_filter=" + names[i]},
                         .wall_seconds = kSecondsOnGpu})
                        .exit_code;
  });
  GpuRun gpu;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (exit_codes[i] == kCountsTraffic)
      ++gpu.num_counting;
    else
      (exit_codes[i] == 0 ? gpu.passed : gpu.failed).push_back(names[i]);
  }
  return gpu;
}

NvidiaRow values_row(const GpuRun& gpu) {
  const std::size_t num_run = gpu.passed.size() + gpu.failed.size();
  if (num_run == 0) return {kValues, "unavailable", "no test passes in the simulator yet"};
  if (!gpu.failed.empty()) {
    return {kValues, "wrong",
            std::to_string(gpu.failed.size()) + " of " + std::to_string(num_run) +
                " tests fail only on the GPU, first " + gpu.failed.front()};
  }
  return {kValues, "ok",
          std::to_string(num_run) +
              " tests pass; not run, for they count: " + std::to_string(gpu.num_counting)};
}

NvidiaRow sanitizer_row(const fs::path& program, const GpuRun& gpu) {
  if (!is_installed("compute-sanitizer"))
    return {kSanitizer, "unavailable", "compute-sanitizer is not installed"};
  if (gpu.passed.empty()) return {kSanitizer, "unavailable", "no test passes on the GPU"};
  for (const std::string& tool : kSanitizerTools) {
    const Outcome outcome = run(with_sanitizer(
        tool, {.argv = {program.string(), "--gtest_filter=" + join(gpu.passed, ":")}}));
    if (outcome.exit_code == kSanitizerFound)
      return {kSanitizer, "wrong", tool + " finds errors; run it on " + program.string()};
    if (!outcome.ok()) return {kSanitizer, "unavailable", tool + " could not run"};
  }
  return {kSanitizer, "ok",
          "four tools find nothing in " + std::to_string(gpu.passed.size()) + " tests"};
}

NvidiaRow bandwidth_row(BuildTree& tree, const LabSpec& lab) {
  const Bandwidths all = measure_bandwidths(tree, lab);
  if (!all.unavailable.empty()) return {kBandwidth, "unavailable", all.unavailable};
  std::vector<std::string> parts;
  for (const Bandwidth& each : all.rungs) {
    if (!each.failure.empty()) return {kBandwidth, "wrong", each.rung + " " + each.failure};
    parts.push_back(each.rung + " " + std::to_string(std::lround(each.percent())) + " %");
  }
  return {kBandwidth, "measured", "of a read in the same run: " + join(parts, ", ")};
}

std::vector<NvidiaRow> unavailable(const std::string& why) {
  return {{kValues, "unavailable", why}, {kSanitizer, "unavailable", why}};
}

std::vector<NvidiaRow> test_rows(BuildTree& tree, const LabResult& result) {
  if (const std::string why = why_no_gpu_program(); !why.empty()) return unavailable(why);
  const std::string target = "lab" + result.lab->id + "_gpu_tests";
  const Outcome built = tree.build(target);
  if (!built.ok()) return unavailable("the tests do not build: " + first_error(built.output));
  const GpuRun gpu = run_on_gpu(tree.program(target), result);
  return {values_row(gpu), sanitizer_row(tree.program(target), gpu)};
}

}  // namespace

std::vector<NvidiaRow> gpu_rows(BuildTree& tree, const LabResult& result) {
  std::vector<NvidiaRow> rows = test_rows(tree, result);
  rows.push_back(bandwidth_row(tree, *result.lab));
  return rows;
}

}  // namespace kv::grader

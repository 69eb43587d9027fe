#include "grader/engine/gpu/nvidia_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/process/parallel.h"
#include "simt/gpu/nvcc.h"

namespace kv::grader {
namespace {

// A process for each rung: after an error in a kernel, CUDA refuses all further calls.
Bandwidth measure(const fs::path& program, const std::string& rung) {
  constexpr std::size_t kMaxMessageBytes = 80;
  Bandwidth bandwidth{.rung = rung};
  const std::string output = run({.argv = {program.string(), rung}}).output;
  if (std::sscanf(output.c_str(), "bandwidth %lf %lf", &bandwidth.read, &bandwidth.kernel) == 2)
    return bandwidth;
  bandwidth.failure = "crash";
  if (output.starts_with("failed "))
    bandwidth.failure = printable(output.substr(0, output.find('\n')), kMaxMessageBytes);
  return bandwidth;
}

}  // namespace

Bandwidths measure_bandwidths(BuildTree& tree, const LabSpec& lab) {
  if (const std::string why = why_no_gpu_program(); !why.empty()) return {.unavailable = why};
  const std::string target = "lab" + lab.id + "_bandwidth";
  const Outcome built = tree.build(target);
  if (!built.ok()) return {.unavailable = "it does not build: " + first_error(built.output)};
  const fs::path program = tree.program(target);
  Bandwidths all;
  for (const std::string& rung : split_lines(run({.argv = {program.string()}}).output))
    all.rungs.push_back(measure(program, rung));
  return all;
}

namespace {

struct NvidiaRow {
  std::string name;     // "values on the GPU"
  std::string state;    // "ok", "wrong", "measured", "unavailable"
  std::string details;  // why
};

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

// Runs what passes in the simulator, then the same under compute-sanitizer, then what is timed.
std::vector<NvidiaRow> gpu_rows(BuildTree& tree, const LabResult& result) {
  std::vector<NvidiaRow> rows = test_rows(tree, result);
  rows.push_back(bandwidth_row(tree, *result.lab));
  return rows;
}

// Why none before: the tensor cores of sm_75 do not multiply bfloat16.
const std::vector<std::string> kArchitectures = {"sm_80", "sm_90"};
constexpr std::size_t kMaxLineBytes = 150;

std::string text_of(const NvidiaRow& row) {
  constexpr int kMaxDetails = 94;
  std::array<char, kMaxLineBytes + 1> text;
  std::snprintf(text.data(), text.size(), "  %-38s %-13s %.*s\n", row.name.c_str(),
                row.state.c_str(), kMaxDetails, row.details.c_str());
  return text.data();
}

std::vector<NvccResult> compile_all(const Kit& kit,
                                    const Submission& submission,
                                    const LabSpec& lab,
                                    const std::vector<std::string>& architectures) {
  std::vector<std::string> files;
  std::ranges::copy_if(lab.files, std::back_inserter(files),
                       [](const std::string& file) { return file.ends_with(".cu"); });
  std::vector<NvccResult> results(files.size());
  in_parallel(files.size(), [&](std::size_t i) {
    results[i] = compile_with_nvcc({.file = submission.stage / lab.folder / files[i],
                                    // Why the stage first: it may have its own copy of a header.
                                    .include_folders = {submission.stage, kit.root / "labs"},
                                    .object = kit.build / "nvcc-grade" / (files[i] + ".fatbin")},
                                   architectures);
  });
  return results;
}

// What nvcc says, a line each. A message about a header comes from each file that includes it.
std::vector<std::string> messages_of(const std::vector<NvccResult>& results,
                                     const Submission& submission) {
  std::vector<std::string> lines;
  for (const NvccResult& result : results) {
    for (const std::string& message : result.messages) {
      const std::string line = submission.with_own_paths(message).substr(0, kMaxLineBytes);
      if (std::ranges::count(lines, line) == 0) lines.push_back(line);
    }
  }
  return lines;
}

std::string compile_row(const Kit& kit, const Submission& submission, const LabSpec& lab) {
  const std::string version = nvcc_version();
  if (version.empty()) return text_of({"nvcc", "unavailable", kNoNvcc});
  const std::vector<std::string> architectures = possible_architectures(kArchitectures);
  const std::vector<NvccResult> results = compile_all(kit, submission, lab, architectures);
  const std::vector<std::string> messages = messages_of(results, submission);
  const auto num_refused = std::ranges::count(results, false, &NvccResult::compiles);
  const std::string name = "nvcc " + version + ": " + join(architectures, " ");
  const std::string num_files = std::to_string(results.size()) + " files";
  std::string text = text_of({name, "ok", num_files + ", no warnings"});
  if (!messages.empty()) text = text_of({name, "warnings", num_files + " compile"});
  if (num_refused > 0)
    text = text_of(
        {name, "wrong", std::to_string(num_refused) + " of " + num_files + " do not compile"});
  constexpr std::size_t kMaxShown = 5;
  for (std::size_t i = 0; i < std::min(kMaxShown, messages.size()); ++i)
    text += "    " + messages[i] + "\n";
  if (messages.size() > kMaxShown)
    text += "    and " + std::to_string(messages.size() - kMaxShown) + " more\n";
  return text;
}

}  // namespace

std::string nvidia_rows(const Kit& kit,
                        BuildTree& tree,
                        const Submission& submission,
                        const LabResult& result) {
  std::string text = "with NVIDIA's tools, 0 points:\n" + compile_row(kit, submission, *result.lab);
  for (const NvidiaRow& row : gpu_rows(tree, result)) text += text_of(row);
  return text;
}

std::string nvidia_hint(const LabSpec& lab) {
  if (nvcc_version().empty()) return std::string("nvcc: unavailable, ") + kNoNvcc + " (0 points)";
  return "nvcc: not asked for (./lab grade " + lab.id + " --nvcc, 0 points)";
}

}  // namespace kv::grader

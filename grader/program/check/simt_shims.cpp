#include "grader/program/check.h"
#include "grader/program/errors.h"

namespace kv::grader {
namespace {

// One program with our 16-bit floats and with NVIDIA's: both have to print the same digests.
void check_against_toolkit(const Kit& kit, const fs::path& ours, Checks& checks) {
  const std::string name = "__half and __nv_bfloat16 have the toolkit's bits";
  if (!is_installed("nvcc")) return checks.unavailable(name, "nvcc");
  const fs::path theirs = kit.build / "narrow_digests_of_the_toolkit";
  const fs::path source = kit.root / "grader" / "simt" / "tests" / "narrow_digests.cpp";
  const Outcome compiled = run(
      {.argv = {"nvcc", "-std=c++20", "-O1", "-x", "c++", source.string(), "-o", theirs.string()}});
  if (!compiled.ok()) return checks.expect(false, name, compiled.output);
  const std::vector<std::string> ours_says = split_lines(run({.argv = {ours.string()}}).output);
  const std::vector<std::string> theirs_says = split_lines(run({.argv = {theirs.string()}}).output);
  std::string differences;
  for (std::size_t i = 0; i < std::min(ours_says.size(), theirs_says.size()); ++i) {
    if (ours_says[i] != theirs_says[i]) differences += ours_says[i] + "\n";
  }
  const bool is_complete = !ours_says.empty() && ours_says.size() == theirs_says.size();
  checks.expect(is_complete && differences.empty(),
                name + ": " + std::to_string(ours_says.size()) + " operations", differences);
}

// Their bugs are not of the kind that a compiler sees.
void check_broken_examples_are_cuda(const Kit& kit, Checks& checks) {
  const std::string name = "nvcc takes the broken examples of docs/";
  if (!is_installed("nvcc")) return checks.unavailable(name, "nvcc");
  const fs::path folder = kit.build / "ptx";
  fs::create_directories(folder);
  Command command{.argv = {"nvcc", "-std=c++20", "-Werror", "all-warnings", "-ptx", "-t", "0",
                           "--output-directory", folder.string()}};
  for (const auto& entry : fs::directory_iterator(kit.root / "docs" / "examples" / "broken")) {
    command.argv.push_back(entry.path().string());
  }
  const Outcome outcome = run(command);
  checks.expect(outcome.ok(), name, outcome.output);
}

}  // namespace

void check_simt_shims(const Kit& kit, Checks& checks) {
  TrialTree trial(kit, {}, "check");
  const LabSpec& lab = kit.manifest.labs.front();
  const Outcome outcome = run({.argv = {trial.build(lab, "solution", "simt_unit_tests").string()}});
  checks.expect(outcome.ok(), "the rewriter and the 16-bit floats", outcome.output);
  check_against_toolkit(kit, trial.build(lab, "solution", "narrow_digests"), checks);
  check_broken_examples_are_cuda(kit, checks);
}

}  // namespace kv::grader

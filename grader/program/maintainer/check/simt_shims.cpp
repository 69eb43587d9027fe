#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

fs::path types_program(const Kit& kit) {
  return kit.root / "simt" / "tests" / "types.cu";
}

// One program with our 16-bit floats and with NVIDIA's: both have to print the same digests.
void check_against_toolkit(const Kit& kit, const fs::path& ours, Checks& checks) {
  const std::string name = "__half, __nv_bfloat16 and fp8 have the toolkit's bits";
  if (!is_installed("nvcc")) return checks.unavailable(name, "nvcc");
  const fs::path theirs = kit.build / "narrow_digests_of_the_toolkit";
  const fs::path source = kit.root / "simt" / "tests" / "narrow_digests.cpp";
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

// All programs that we run have to be CUDA; so do the broken examples: a compiler accepts their
// bugs.
void check_programs_are_cuda(const Kit& kit, Checks& checks) {
  const std::string name = "nvcc compiles the broken examples and the programs with CUDA's results";
  if (!is_installed("nvcc")) return checks.unavailable(name, "nvcc");
  const fs::path folder = kit.build / "ptx";
  fs::create_directories(folder);
  Command command{.argv = {"nvcc", "-std=c++20", "-Werror", "all-warnings", "-arch=sm_80", "-ptx",
                           "-t", "0", "--output-directory", folder.string(),
                           types_program(kit).string()}};
  for (const std::string file : {"elsewhere.cu", "intrinsics.cu", "host_memory.cu", "groups.cu",
                                 "async_copies.cu", "tensor_cores.cu"}) {
    command.argv.push_back((kit.root / "simt" / "tests" / file).string());
  }
  for (const auto& entry : fs::directory_iterator(kit.root / "docs" / "examples" / "broken")) {
    command.argv.push_back(entry.path().string());
  }
  const Outcome outcome = run(command);
  checks.expect(outcome.ok(), name, outcome.output);
}

void check_types(const Kit& kit, const std::string& compiler, Checks& checks) {
  const std::string name = "kernels with halves and groups, " + compiler;
  if (!is_installed(compiler)) return checks.unavailable(name, compiler);
  const Outcome outcome =
      run_lab(kit, {"simt", types_program(kit).string(), "--compiler", compiler, "--no-profile"});
  checks.expect(outcome.ok(), name, outcome.output);
}

}  // namespace

void check_simt_shims(const Kit& kit, Checks& checks) {
  check_simt_reference(kit, checks);
  ScratchBuild build = shared_scratch_build(kit);
  const LabSpec& lab = kit.manifest.labs.front();
  const Outcome outcome = run({.argv = {build.build(lab, "solution", "simt_unit_tests").string()}});
  checks.expect(outcome.ok(), "the rewriter and the 16-bit floats", outcome.output);
  check_against_toolkit(kit, build.build(lab, "solution", "narrow_digests"), checks);
  check_programs_are_cuda(kit, checks);
  for (const std::string compiler : {"g++", "clang++"}) check_types(kit, compiler, checks);
}

}  // namespace kv::grader

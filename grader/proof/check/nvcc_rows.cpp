// What ./lab grade --nvcc says of a file. Why from the inside: lab 06 need not be built for it.

#include <algorithm>

#include "grader/engine/gpu/nvcc.h"
#include "grader/engine/gpu/nvidia_rows.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

// The row of a tree whose warmup.cu has `line` in its first function.
std::string rows_with(const Kit& kit, LabSpec lab, const std::string& line) {
  lab.files = {"warmup.cu", "block_reduce.cuh"};
  const std::string begin = "const float* b, int n) {\n";
  const fs::path tree = kit.build / "nvcc-tree";
  for (const std::string& file : lab.files) {
    write_file(tree / lab.folder / file,
               replace_all(kit.solution_text(lab, file), begin, begin + line));
  }
  const Submission submission =
      stage_submission(kit, tree.string(), {&lab}, kit.build / "nvcc-tree-stage");
  BuildTree build(kit, "nvcc-tree-build", submission.stage, {});  // only a GPU needs it
  return nvidia_rows(kit, build, submission,
                     LabResult{.lab = &lab, .state = LabState::kInProgress});
}

void check_rows(const Kit& kit, const LabSpec& lab, Checks& checks) {
  const auto expect = [&](const std::string& line, const std::vector<std::string>& parts) {
    const std::string rows = rows_with(kit, lab, line);
    const bool has_all = std::ranges::all_of(
        parts, [&](const std::string& part) { return rows.find(part) != std::string::npos; });
    checks.expect(has_all, "./lab grade --nvcc: \"" + parts.back() + "\"", rows);
  };
  expect("", {" ok ", "1 files, no warnings"});
  expect("  int unused;\n", {" warnings ", "warmup.cu(", "warning #177-D"});
  expect("  missing();\n", {" wrong ", "identifier \"missing\"", "1 of 1 files do not compile"});
}

}  // namespace

void check_nvcc_rows(const Kit& kit, Checks& checks) {
  if (nvcc_version().empty()) return checks.unavailable("./lab grade --nvcc", "nvcc");
  for (const LabSpec& lab : kit.manifest.labs) {
    if (lab.is_cuda()) check_rows(kit, lab, checks);
  }
}

}  // namespace kv::grader

#include <algorithm>

#include "grader/program/check/check.h"
#include "grader/program/check/mirror.h"

namespace kv::grader {
namespace {

// The solution of a lab up to and including one step; later steps are still stubs.
fs::path write_stair(const Kit& kit, const LabSpec& lab, const std::string& last_step) {
  const fs::path tree = kit.build / "stair";
  for (const std::string& file : lab.files) {
    std::string source = read_file(kit.root / "starter" / lab.folder / file);
    for (const Hunk& hunk : hunks_of(kit, lab, file)) {
      if (step_before(last_step, hunk.step)) continue;
      source = replace_all(source, hunk.todo_line + "\n", join(hunk.solution_lines, "\n") + "\n");
    }
    write_file(tree / lab.folder / file, source);
  }
  return tree;
}

std::string wrong_tests(const LabResult& result, const std::string& last_step) {
  std::string lines = result.message;
  for (const TestResult& test : result.tests) {
    const bool is_later = step_before(last_step, test.spec->step);
    const Status expected = is_later ? Status::kNotStarted : Status::kPass;
    if (test.verdict.status == expected) continue;
    lines += test.spec->name + " (step " + test.spec->step + ") is " +
             status_name(test.verdict.status) + ": " + test.verdict.headline + "\n";
  }
  return lines;
}

}  // namespace

void check_staircase(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const StepSpec& step : lab.steps) {
      const LabResult result =
          build.grade(lab, write_stair(kit, lab, step.number), {.seed = kit.manifest.seed});
      const std::string wrong = wrong_tests(result, step.number);
      checks.expect(wrong.empty(),
                    "lab " + lab.id + " solved up to " + step.number +
                        ": earlier tests pass, later ones are not started",
                    wrong);
    }
  }
}

}  // namespace kv::grader

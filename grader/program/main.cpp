// The command line. `./lab` builds this program and hands over to it.

#include <CLI/CLI.hpp>
#include <iostream>

#include "grader/program/check.h"
#include "grader/program/diff.h"
#include "grader/program/errors.h"
#include "grader/program/gpu_validate.h"
#include "grader/program/grade.h"

namespace {

using namespace kv::grader;

void add_grade(CLI::App& app, GradeOptions& options) {
  app.add_option("LAB", options.lab_ids, "labs to grade, as 01 02; all when none is named");
  app.add_option("--tree", options.tree,
                 "starter (default), solution, or a folder with your files");
  app.add_flag("--together", options.together, "also link your labs with each other; no points");
  app.add_flag("--sanitize", options.sanitize, "also look with ASan and UBSan; no points");
  app.add_option("--seed", options.seed, "seed of the random histories; the same by default");
  app.add_option("--timeout", options.cpu_seconds, "CPU seconds a test may take, whole ones")
      ->check(CLI::Range(1, 3600));
  app.add_flag("--all", options.all_failures, "show every failing test, not the first of each lab");
  app.add_option("--json", options.json_file, "write the report to this file");
  app.add_option("--junit", options.junit_file, "write a JUnit report to this file");
  app.add_flag("--strict", options.strict, "exit with 1 unless every core point is there");
  app.footer(
      "exit codes: 0 graded, 1 --strict and not full, 2 wrong use or a missing tool,\n"
      "3 the kit itself is broken");
}

void add_diff(CLI::App& app, DiffOptions& options) {
  app.add_option("TREE", options.tree, "starter (default) or a folder with your files");
  app.add_option("LAB", options.lab_id, "one lab; all when none is named");
  app.add_flag("--yes", options.yes, "do not ask, even where a lab is not done (for instructors)");
}

void add_test(CLI::App& app, CheckOptions& options) {
  app.add_flag("--full", options.full, "also the staircase: every lab solved up to every step");
  app.add_flag("--strict", options.strict, "a check whose tool is missing fails (for CI)");
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"PagedLab: build the paged KV cache that serves large language models", "./lab"};
  app.require_subcommand(1);
  GradeOptions grade_options;
  DiffOptions diff_options;
  CheckOptions check_options;
  CLI::App& grade =
      *app.add_subcommand("grade", "grade your work: starter/, unless told otherwise");
  CLI::App& test =
      *app.add_subcommand("test", "test the kit itself: its solution, tests and grader");
  CLI::App& diff = *app.add_subcommand("diff", "your functions beside the solution's");
  CLI::App& gpu_validate = *app.add_subcommand(
      "gpu-validate", "compare CUDA on the CPU with a real GPU (needs one, and NVIDIA's tools)");
  add_grade(grade, grade_options);
  add_test(test, check_options);
  add_diff(diff, diff_options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitGraded : kExitUsage;
  }
  const Kit kit = find_kit(argv[0]);
  if (grade.parsed()) return grade_command(kit, grade_options);
  if (gpu_validate.parsed()) return gpu_validate_command(kit);
  if (diff.parsed()) return diff_command(kit, diff_options);
  return check_command(kit, check_options);
}

}  // namespace

int main(int argc, char** argv) {
  kill_children_on_interrupt();
  try {
    return run_command_line(argc, argv);
  } catch (const UsageError& error) {
    std::cerr << "lab: " << error.what() << '\n';
    return kExitUsage;
  } catch (const KitBroken& error) {
    std::cerr << "lab: the kit itself is broken, this is not your fault: " << error.what() << '\n';
  } catch (const std::exception& error) {
    std::cerr << "lab: unexpected: " << error.what() << '\n';
  }
  return kExitKitBroken;
}

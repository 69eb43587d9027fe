// The command line. `./lab` builds this program and hands over to it.

#include <CLI/CLI.hpp>
#include <iostream>

#include "grader/program/check.h"
#include "grader/program/diff.h"
#include "grader/program/errors.h"
#include "grader/program/gpu/gpu_validate.h"
#include "grader/program/grade.h"
#include "grader/program/mutate/mutate_command.h"
#include "grader/program/simt/simt.h"

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
  app.add_flag("--full", options.full, "also all mutants, and every lab solved up to every step");
  app.add_flag("--strict", options.strict, "a check whose tool is missing fails (for CI)");
  app.add_option("--only", options.only, "only the checks whose title has this in it, as mistakes");
}

void add_mutate(CLI::App& app, MutateOptions& options) {
  app.add_option("LAB", options.lab_ids, "labs to try, as 01 02; all when none is named");
}

void add_simt(CLI::App& app, SimtOptions& options) {
  app.add_option("FILE", options.file, "a CUDA program, its main included")->required();
  app.add_option("ARGUMENTS", options.arguments, "for the program, behind --");
  app.add_option("--schedule", options.schedule, "order of threads: forward, reverse or both")
      ->check(CLI::IsMember({"forward", "reverse", "both"}));
  app.add_option("-O", options.level, "optimize everything so; else 0 to check and 1 to profile")
      ->check(CLI::IsMember({"0", "1"}));
  app.add_flag("--no-profile", options.no_profile, "only check");
  app.add_flag("--occurrences", options.occurrences,
               "profile without lockstep: faster, less exact");
  app.add_flag("--annotate", options.annotate, "show the source with its costs");
  app.add_option("--json", options.json_file, "write the report to this file");
  app.add_option("--compiler", options.compiler, "g++ or clang++; the default is CXX, or c++");
  app.footer("exit codes: 0 clean, 1 findings, 2 wrong use, or it does not compile");
}

struct Options {
  GradeOptions grade;
  DiffOptions diff;
  CheckOptions test;
  SimtOptions simt;
  MutateOptions mutate;
};

void add_commands(CLI::App& app, Options& options) {
  add_grade(*app.add_subcommand("grade", "grade your work: starter/, unless told otherwise"),
            options.grade);
  add_diff(*app.add_subcommand("diff", "your functions beside the solution's"), options.diff);
  add_simt(*app.add_subcommand("simt", "run a CUDA program on the CPU, checked and profiled"),
           options.simt);
  add_test(*app.add_subcommand("test", "test the kit itself: its solution, tests and grader"),
           options.test);
  add_mutate(*app.add_subcommand("mutate", "change the solution everywhere: do the tests notice?"),
             options.mutate);
  app.add_subcommand("signatures",
                     "compute anew what each known mistake breaks, after a change to tests");
  app.add_subcommand("gpu-validate",
                     "compare CUDA on the CPU with a real GPU (needs one, and NVIDIA's tools)");
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"PagedLab: build the paged KV cache that serves large language models", "./lab"};
  app.require_subcommand(1);
  Options options;
  add_commands(app, options);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitGraded : kExitUsage;
  }
  const Kit kit = find_kit(argv[0]);
  if (app.got_subcommand("grade")) return grade_command(kit, options.grade);
  if (app.got_subcommand("diff")) return diff_command(kit, options.diff);
  if (app.got_subcommand("simt")) return simt_command(kit, options.simt);
  if (app.got_subcommand("mutate")) return mutate_command(kit, options.mutate);
  if (app.got_subcommand("signatures")) return signatures_command(kit);
  if (app.got_subcommand("gpu-validate")) return gpu_validate_command(kit);
  return check_command(kit, options.test);
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

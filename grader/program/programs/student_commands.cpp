#include "grader/program/programs/student_commands.h"

#include "grader/program/base/commands/command_line.h"
#include "grader/program/programs/programs.h"
#include "grader/program/student/steps/desk_commands.h"
#include "grader/program/student/steps/hints.h"

namespace kv::grader {
namespace {

void declare_grade(CLI::App& app, GradeOptions& options) {
  app.add_option("LAB", options.labs,
                 "labs to grade: 1, 01, 01-free-queue or 1-3; all if none is given");
  declare_tree(app, options.tree);
  app.add_flag("--together", options.how.together,
               "also test your labs linked with each other; no points");
  app.add_flag("--sanitize", options.how.sanitize, "also run with ASan and UBSan; no points");
  app.add_flag("--nvcc", options.how.nvcc,
               "lab 06: also compile with nvcc, and run on a GPU if there is one; no points");
  app.add_flag("--second-opinion", options.how.second_opinion,
               "full points: also compare calls outside of the tests; a flag for the instructor");
  app.add_option("--seed", options.how.seed,
                 "seed of the random histories; by default always the same");
  app.add_option("--timeout", options.how.cpu_seconds,
                 "CPU seconds that a test may take, a whole number")
      ->check(CLI::Range(1, 3600));
  app.add_flag("--all", options.all_failures,
               "show every failing test, not only the first of each lab");
  app.add_option("--json", options.json_file, "write the report to this file");
  app.add_option("--junit", options.junit_file, "write a JUnit report to this file");
  app.add_option("--html", options.html_file,
                 "write the report as a page: every failure with its calls, to step through");
  // ./lab class sets these two: it grades copies.
  app.add_option("--origin", options.origin.place)->group("");
  app.add_option("--origin-commit", options.origin.commit)->group("");
  app.add_flag("--strict", options.strict, "exit with 1 unless all core points are earned");
  app.footer(
      "exit codes: 0 graded, 1 --strict and points are missing, 2 wrong use or a missing tool,\n"
      "3 the kit itself is broken, or the machine refuses what it needs");
}

void declare_next(CLI::App& app, NextOptions& options) {
  app.add_option("LAB", options.lab, "a lab; by default the first whose core is not done");
  declare_tree(app, options.tree);
  app.footer(
      "Shows one step: its heading in the README, and the line and column of its stub, or of\n"
      "the function to fix. If your files have changed since the last ./lab grade, it says so:\n"
      "whether a function is right can only be found by grading. Nothing is built.");
}

void declare_list(CLI::App& app, ListOptions& options) {
  app.add_option("LAB", options.labs, "labs to list; all if none is given");
  declare_tree(app, options.tree);
  app.footer(
      "not written       its KV_TODO is there\n"
      "not graded        written, and a file of the lab has changed since the last ./lab grade\n"
      "waits             written, but its tests need an earlier step that is not written\n"
      "wrong             a test fails, or makes another one fail\n"
      "does not compile  a file of the lab does not compile\n"
      "done              all its tests pass; of a step with core tests, the core ones\n"
      "The points are those of the last grading, core and +extra.");
}

void declare_hint(CLI::App& app, HintOptions& options) {
  app.add_option("STEP", options.step, "as 2.3; by default the step that ./lab next shows");
  app.add_option("--tier", options.tier, "show this tier, again if it was shown: 1, 2 or 3")
      ->check(CLI::Range(1, desk::kLastTier));
  app.add_flag("--yes", options.yes, "do not ask before tier 3");
  declare_tree(app, options.tree);
  app.footer(
      "Each call shows one tier more: a question, the state drawn with ids, the steps in words.\n"
      "Write between two calls. If the last grading found a known bug in the step, that comes\n"
      "first. Tier 3 is the whole way, so it is shown after a question; without a terminal it\n"
      "needs --yes.");
}

void declare_reset(CLI::App& app, ResetOptions& options) {
  app.add_option("STEP", options.step, "as 2.3")->required();
  app.add_option("--tree", options.tree, "starter (default), or a folder with your files");
  app.footer(
      "Puts the stub of one function back, to begin again. Your function is kept in a file in\n"
      "the build folder, which the command names; no such file is ever overwritten. Nothing\n"
      "else in your file changes.");
}

}  // namespace

void add_student_commands(CommandLine& line, const PageWriter& write_page) {
  line.add<GradeOptions>("grade", "grade your work in starter/, or another tree", declare_grade,
                         [write_page](const Kit& kit, const GradeOptions& options) {
                           return grade_command(kit, options, write_page);
                         });
  line.add<NextOptions>("next", "the step at hand: what to read, and where to write", declare_next,
                        next_command);
  line.add<ListOptions>("list", "all steps, with their states and points", declare_list,
                        list_command);
  line.add<HintOptions>("hint", "the next hint for the step at hand", declare_hint, hint_command);
  line.add<ResetOptions>("reset", "put the stub of one function back", declare_reset,
                         reset_command);
}

int run_student_program(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line);
  return line.run(argc, argv);
}

}  // namespace kv::grader

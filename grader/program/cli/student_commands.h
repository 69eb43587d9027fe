#pragma once
// What a student types every day.

#include "grader/program/cli/command_line.h"
#include "grader/program/cli/diff.h"
#include "grader/program/cli/grade_command.h"

namespace kv::grader {

inline void declare_grade(CLI::App& app, GradeOptions& options) {
  app.add_option("LAB", options.labs, "labs to grade, as 01 02; all when none is named");
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

inline void declare_diff(CLI::App& app, DiffOptions& options) {
  app.add_option("TREE", options.tree, "starter (default) or a folder with your files");
  app.add_option("LAB", options.lab_id, "one lab; all when none is named");
  app.add_flag("--yes", options.yes, "do not ask, even where a lab is not done (for instructors)");
}

inline void add_student_commands(CommandLine& line) {
  line.add<GradeOptions>("grade", "grade your work: starter/, unless told otherwise", declare_grade,
                         grade_command);
  line.add<DiffOptions>("diff", "your functions beside the solution's", declare_diff, diff_command);
}

}  // namespace kv::grader

#pragma once
// The commands that a student uses every day.

#include "grader/program/cli/command_line.h"
#include "grader/program/cli/diff.h"
#include "grader/program/cli/grade_command.h"
#include "grader/program/predict/predict_command.h"

namespace kv::grader {

inline void declare_grade(CLI::App& app, GradeOptions& options) {
  app.add_option("LAB", options.labs,
                 "labs to grade: 1, 01 or 01-free-queue; all if none is given");
  app.add_option("--tree", options.tree,
                 "starter (default), solution, or a folder with your files");
  app.add_flag("--together", options.together,
               "also test your labs linked with each other; no points");
  app.add_flag("--sanitize", options.sanitize, "also run with ASan and UBSan; no points");
  app.add_flag("--nvcc", options.nvcc,
               "lab 06: also compile with nvcc, and run on a GPU if there is one; no points");
  app.add_option("--seed", options.seed,
                 "seed of the random histories; by default always the same");
  app.add_option("--timeout", options.cpu_seconds,
                 "CPU seconds that a test may take, a whole number")
      ->check(CLI::Range(1, 3600));
  app.add_flag("--all", options.all_failures,
               "show every failing test, not only the first of each lab");
  app.add_option("--json", options.json_file, "write the report to this file");
  app.add_option("--junit", options.junit_file, "write a JUnit report to this file");
  app.add_flag("--strict", options.strict, "exit with 1 unless all core points are earned");
  app.footer(
      "exit codes: 0 graded, 1 --strict and points are missing, 2 wrong use or a missing tool,\n"
      "3 the kit itself is broken, or the machine refuses what it needs");
}

inline void declare_diff(CLI::App& app, DiffOptions& options) {
  app.add_option("TREE", options.tree, "starter (default) or a folder with your files");
  app.add_option("LAB", options.lab, "one lab; all if none is given");
  app.add_flag("--yes", options.yes, "do not ask, even if a lab is not done (for instructors)");
}

inline void declare_predict(CLI::App& app, PredictOptions& options) {
  app.add_option("LAB", options.lab, "the lab: 1, 01 or 01-free-queue")->required();
  app.add_option("--question", options.questions,
                 "only this question, or several, as 2,4; all if none is given")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.footer(
      "Asks each question of the lab's README, \"Predict the state\", and shows no answer before\n"
      "yours. Type what the script prints, line by line, then an empty line. ? shows the answer, "
      "and\n"
      "so does an empty line alone; q ends all. Small and capital letters, blanks, commas, "
      "brackets\n"
      "and # make no difference. The solution runs the same script, and you see the first line in\n"
      "which your answer differs from what it prints, and why.\n"
      "Where a classmate's code has a bug, you write the script. It runs on that code and on the\n"
      "solution, and is right if they print different lines.\n"
      "A file can hold the answers, in the same form: ./lab predict 01 < answers.txt\n"
      "exit codes: 0 all answers are right, 1 not all are, 2 wrong use or a missing tool,\n"
      "3 the kit itself is broken, or the machine refuses what it needs");
}

inline void add_student_commands(CommandLine& line) {
  line.add<GradeOptions>("grade", "grade your work in starter/, or another tree", declare_grade,
                         grade_command);
  line.add<DiffOptions>("diff", "compare your functions with the solution's", declare_diff,
                        diff_command);
  line.add<PredictOptions>("predict", "answer the questions of a lab's README, before you write",
                           declare_predict, predict_command);
}

}  // namespace kv::grader

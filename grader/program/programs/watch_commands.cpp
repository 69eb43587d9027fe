#include "grader/program/programs/watch_commands.h"

#include "grader/program/base/commands/command_line.h"
#include "grader/program/programs/programs.h"
#include "grader/program/programs/student_commands.h"
#include "grader/program/student/handed_in/diff_command.h"
#include "grader/program/student/pages/grading_page.h"
#include "grader/program/student/pages/play_command.h"
#include "grader/program/student/predict/predict_command.h"
#include "grader/program/student/watch/watch_command.h"

namespace kv::grader {
namespace {

void declare_watch(CLI::App& app, WatchOptions& options) {
  app.add_option("LAB", options.lab, "a lab; by default all, beginning with the lab at hand");
  declare_tree(app, options.tree);
  app.footer(
      "Leave it open in one terminal while you write in another. After each save it shows one\n"
      "page: first the verdict on the step at hand, then the points of the lab, what its first\n"
      "failing test did, and what to do next. A save while it grades begins again. What is graded\n"
      "counts for ./lab next, list and hint as after ./lab grade.\n"
      "  n  what to read and where to write; in a lab that is done: the next lab\n"
      "  h  the next hint for the step; asks before tier 3\n"
      "  l  the steps of the lab, with their states and points\n"
      "  r  puts the stub of the step back; asks first, and keeps your function in a file\n"
      "  d  compares your functions with the solution's, when the core of the lab is done\n"
      "  a  grades all labs\n"
      "  q  quits; Ctrl-Z stops, and fg goes on\n"
      "Space shows what does not fit on the page. Without a terminal it grades once, prints and\n"
      "ends. exit codes: those of ./lab grade, and 128 and its number after a signal");
}

void declare_diff(CLI::App& app, DiffOptions& options) {
  app.add_option("TREE", options.tree,
                 "starter (default), or a submission: a folder, a whole clone, a .zip or .tar.gz");
  app.add_option("LAB", options.lab, "one lab; all if none is given");
  app.add_option("--commit", options.commit,
                 "TREE is the URL of a git repository: compare this commit or branch of it");
  app.add_flag("--yes", options.yes, "do not ask, even if a lab is not done (for instructors)");
}

void declare_predict(CLI::App& app, PredictOptions& options) {
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

void declare_play(CLI::App& app, PlayOptions& options) {
  app.add_option("LOG", options.log,
                 "an event log, as ./lab replay --events writes it; or a lab, as 01")
      ->required();
  app.add_option("--html", options.html_file, "write the page to this file");
  app.add_flag("--no-open", options.no_open, "write the page, and open no browser");
  app.footer(
      "Makes a page on which you go through the calls, forwards and backwards: the free queue,\n"
      "each block with its ref_cnt and its hash, the block tables of the requests. Of a lab it\n"
      "plays the worked example of the README, on the solution. The page is one file, and needs\n"
      "no network. Where a display is, it is opened; the keys are the arrows, Home and End.");
}

}  // namespace

void add_watch_commands(CommandLine& line) {
  line.add<WatchOptions>("watch", "grade after each save, and show one page", declare_watch,
                         watch_command);
  line.add<DiffOptions>("diff", "compare your functions with the solution's", declare_diff,
                        diff_command);
  line.add<PlayOptions>("play", "an event log, or a lab's worked example, step by step",
                        declare_play, play_command);
  line.add<PredictOptions>("predict", "answer the questions of a lab's README, before you write",
                           declare_predict, predict_command);
}

int run_watch_program(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line, html::write_page);
  add_watch_commands(line);
  return line.run(argc, argv);
}

}  // namespace kv::grader

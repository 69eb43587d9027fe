// The program of what is open beside an editor, and of what draws pages.

#include "base/commands/command_line.h"
#include "grader/desk/pages/grading_page.h"
#include "grader/programs/programs.h"

namespace kv::grader {

void add_watch_commands(CommandLine& line) {
  add_watch_command(line);
  add_diff_command(line);
  add_play_command(line);
  add_predict_command(line);
}

int run_watch_program(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line, pages::write_page);
  add_watch_commands(line);
  return line.run(argc, argv);
}

}  // namespace kv::grader

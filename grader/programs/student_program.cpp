// The student's program. The first `./lab grade` has to wait for it, so it is small.

#include "base/commands/command_line.h"
#include "grader/programs/programs.h"

namespace kv::grader {

void add_student_commands(CommandLine& line, const PageWriter& write_page) {
  add_grade_command(line, write_page);
  add_next_command(line);
  add_list_command(line);
  add_hint_command(line);
  add_reset_command(line);
}

int run_student_program(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line, {});
  return line.run(argc, argv);
}

}  // namespace kv::grader

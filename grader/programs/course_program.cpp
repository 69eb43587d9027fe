// The program for teachers.

#include "base/commands/command_line.h"
#include "grader/desk/pages/grading_page.h"
#include "grader/programs/programs.h"

namespace kv::grader {

void add_course_commands(CommandLine& line) {
  add_class_command(line);
  add_similar_command(line);
  add_handout_command(line);
  add_bundle_command(line);
  add_results_command(line);
  add_site_command(line);
}

int run_course_program(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line, pages::write_page);
  add_course_commands(line);
  return line.run(argc, argv);
}

}  // namespace kv::grader

// The program for teachers. It grades, too: `./lab class` runs it for each submission.

#include "grader/program/cli/course_commands.h"
#include "grader/program/cli/student_commands.h"
#include "grader/program/html/grading_page.h"

int main(int argc, char** argv) {
  using namespace kv::grader;
  CommandLine line;
  add_student_commands(line, html::write_page);
  add_course_commands(line);
  return line.run(argc, argv);
}

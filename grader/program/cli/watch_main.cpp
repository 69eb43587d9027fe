// The program of what is open beside an editor, and of what draws pages.

#include "grader/program/cli/student_commands.h"
#include "grader/program/cli/watch_commands.h"

int main(int argc, char** argv) {
  using namespace kv::grader;
  CommandLine line;
  add_student_commands(line, html::write_page);
  add_watch_commands(line);
  return line.run(argc, argv);
}

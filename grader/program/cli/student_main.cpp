// The student's program. The first `./lab grade` has to wait for it, so it is small.

#include "grader/program/cli/student_commands.h"

int main(int argc, char** argv) {
  using namespace kv::grader;
  CommandLine line;
  add_student_commands(line);
  return line.run(argc, argv);
}

// The student's program. Why not main.cpp, the whole one: the first `./lab grade` waits until this
// is built.

#include "grader/program/cli/student_commands.h"

int main(int argc, char** argv) {
  kv::grader::CommandLine line;
  kv::grader::add_student_commands(line);
  return line.run(argc, argv);
}

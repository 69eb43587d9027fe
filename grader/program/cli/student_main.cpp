// The student's program. Why not the whole one, main.cpp: the first `./lab grade` has to wait for
// it.

#include "grader/program/cli/student_commands.h"

int main(int argc, char** argv) {
  kv::grader::CommandLine line;
  kv::grader::add_student_commands(line);
  return line.run(argc, argv);
}

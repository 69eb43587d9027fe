// The student's program. The first `./lab grade` has to wait for it, so it is small.

#include "grader/program/programs/programs.h"

int main(int argc, char** argv) {
  return kv::grader::run_student_program(argc, argv);
}

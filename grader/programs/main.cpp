// The main of each program. CMake says which of them runs: KV_RUN_PROGRAM is run_student_program,
// say.

#include "grader/programs/programs.h"

int main(int argc, char** argv) {
  return kv::grader::KV_RUN_PROGRAM(argc, argv);
}

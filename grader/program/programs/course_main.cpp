// The program for teachers.

#include "grader/program/programs/programs.h"

int main(int argc, char** argv) {
  return kv::grader::run_course_program(argc, argv);
}

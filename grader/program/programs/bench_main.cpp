// The program that measures speed.

#include "grader/program/programs/programs.h"

int main(int argc, char** argv) {
  return kv::grader::run_bench_program(argc, argv);
}

// The program that measures speed.

#include "grader/program/cli/programs.h"

int main(int argc, char** argv) {
  return kv::grader::run_bench_program(argc, argv);
}

// The program of CUDA on the CPU.

#include "grader/program/programs/programs.h"

int main(int argc, char** argv) {
  return kv::grader::run_simt_program(argc, argv);
}

// The program of CUDA on the CPU.

#include "grader/program/cli/simt_commands.h"

int main(int argc, char** argv) {
  using namespace kv::grader;
  CommandLine line;
  add_simt_command(line);
  return line.run(readable_simt_options(argc, argv));
}

// The program of CUDA on the CPU.

#include "base/commands/command_line.h"
#include "grader/programs/programs.h"
#include "simt/cli/simt.h"

namespace kv::grader {

int run_simt_program(int argc, char** argv) {
  CommandLine line(nullptr);
  add_simt_command(line);
  return line.run(readable_simt_options(argc, argv));
}

}  // namespace kv::grader

// The program of CUDA on the CPU.

#include "base/commands/command_line.h"
#include "grader/programs/programs.h"
#include "simt/cli/simt.h"

namespace kv::grader {

int run_simt_program(int argc, char** argv) {
  CommandLine line({.find = [](const char* program) { return find_kit(program, nullptr); }});
  add_simt_command(line);
  return line.run(readable_simt_options({argv, argv + argc}));
}

}  // namespace kv::grader

#include "grader/program/programs/simt_commands.h"

#include "grader/program/base/commands/command_line.h"
#include "grader/program/programs/programs.h"
#include "grader/program/student/simt/simt.h"

namespace kv::grader {
namespace {

void declare_simt(CLI::App& app, SimtOptions& options) {
  app.add_option("FILE", options.files, "the sources of a CUDA program; after --: its arguments")
      ->required();
  app.add_option("--argument", options.arguments)->group("");
  app.add_option("-I", options.include_folders, "a folder of headers")->allow_extra_args(false);
  app.add_option("-D", options.macros, "a macro: NAME or NAME=VALUE")->allow_extra_args(false);
  app.add_option("--std", options.standard,
                 "the C++ standard, as -std=c++20; older ones are compiled as C++20");
  app.add_option("--schedule", options.schedule, "order of threads: forward, reverse or both")
      ->check(CLI::IsMember({"forward", "reverse", "both"}));
  app.add_option("-O", options.level,
                 "optimization level of all runs; by default 0 to check and 1 to profile")
      ->check(CLI::IsMember({"0", "1"}));
  app.add_flag("--no-profile", options.no_profile, "only check");
  app.add_flag("--occurrences", options.occurrences,
               "profile without lockstep: faster, less exact");
  app.add_flag("--annotate", options.annotate, "show the source with its costs");
  app.add_option("--json", options.json_file, "write the report to this file");
  app.add_option("--compiler", options.compiler, "g++ or clang++; the default is CXX, or c++");
  app.footer("exit codes: 0 clean, 1 findings, 2 wrong use, or it does not compile");
}

}  // namespace

void add_simt_command(CommandLine& line) {
  line.add<SimtOptions>("simt", "run a CUDA program on the CPU, checked and profiled", declare_simt,
                        simt_command);
}

int run_simt_program(int argc, char** argv) {
  CommandLine line(nullptr);
  add_simt_command(line);
  return line.run(readable_simt_options(argc, argv));
}

}  // namespace kv::grader

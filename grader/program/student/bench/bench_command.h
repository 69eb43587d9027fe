#pragma once
// `./lab bench`: the speed of a tree beside the solution's and a limit.

#include <string>
#include <vector>

#include "grader/program/base/commands/command_line.h"

namespace kv::grader {

struct BenchOptions {
  std::string lab;
  std::string tree = "starter";
  int rounds = 3;
  int cpu_seconds = 120;
  std::vector<std::string> bench_options = {};  // for the bench itself
};

int bench_command(const Kit& kit, const BenchOptions& options);

void add_bench_command(CommandLine& line);

}  // namespace kv::grader

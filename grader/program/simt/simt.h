#pragma once
// `./lab simt FILE.cu`: runs a CUDA program on the CPU, and reports its bugs and the cost of its
// kernels. simt/README.md explains how.

#include <string>
#include <vector>

#include "grader/program/kit/kit.h"

namespace kv::grader {

struct SimtOptions {
  std::string file;
  std::vector<std::string> arguments = {};  // of the program
  std::string schedule = "both";            // forward, reverse
  std::string level = {};                   // 0 or 1: -O0 or -O1 for all; empty: see the command
  bool no_profile = false;
  bool occurrences = false;  // the profile without lockstep
  bool annotate = false;
  std::string json_file = {};
  std::string compiler = {};
};

int simt_command(const Kit& kit, const SimtOptions& options);

}  // namespace kv::grader

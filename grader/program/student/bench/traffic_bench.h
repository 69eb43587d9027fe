#pragma once
// `./lab bench` of a lab in CUDA: what the kernels of a tree move, beside the solution's. Counted
// in the simulator, so a number is the same on every machine.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

struct BenchOptions {
  std::string lab;
  std::string tree = "starter";
  int rounds = 3;
  int cpu_seconds = 120;
  std::vector<std::string> bench_options = {};  // for the bench itself
};

int traffic_bench(const Kit& kit, const LabSpec& lab, const BenchOptions& options);

}  // namespace kv::grader

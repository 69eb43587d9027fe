#pragma once
// `./lab bench` of a lab in CUDA: what the kernels of a tree move, beside the solution's. Counted
// in the simulator, so a number is the same on every machine.

#include "grader/program/student/bench/bench_command.h"

namespace kv::grader {

int traffic_bench(const Kit& kit, const LabSpec& lab, const BenchOptions& options);

}  // namespace kv::grader

#pragma once
// The tests of a lab in CUDA on the GPU of this machine, with the kernels as nvcc compiles them.

#include <string>
#include <vector>

#include "grader/program/base/build/build_tree.h"
#include "grader/program/student/grading/results.h"

namespace kv::grader {

struct NvidiaRow {
  std::string name;     // "values on the GPU"
  std::string state;    // "ok", "wrong", "measured", "unavailable"
  std::string details;  // why
};

// Runs what passes in the simulator, then the same under compute-sanitizer, then what is timed.
std::vector<NvidiaRow> gpu_rows(BuildTree& tree, const LabResult& result);

}  // namespace kv::grader

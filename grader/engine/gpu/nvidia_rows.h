#pragma once
// What NVIDIA's tools say about a lab in CUDA: rows of 0 points after its score.

#include <string>
#include <vector>

#include "base/builds/build_tree.h"
#include "grader/engine/grading/results.h"

namespace kv::grader {

// The bandwidth of a student's kernels on the GPU of this machine.
struct Bandwidth {
  std::string rung;             // "warp"
  double read = 0, kernel = 0;  // bytes of keys and values in a second, in GB/s
  std::string failure = {};     // why there is none

  double percent() const { return 100 * kernel / read; }
};

struct Bandwidths {
  std::string unavailable = {};  // why none was measured
  std::vector<Bandwidth> rungs = {};
};

Bandwidths measure_bandwidths(BuildTree& tree, const LabSpec& lab);

// Where nvcc or a GPU is missing, a row says so. `tree` is the build of these results.
std::string nvidia_rows(const Kit& kit,
                        BuildTree& tree,
                        const Submission& submission,
                        const LabResult& result);

// The line of a run that did not ask for the rows.
std::string nvidia_hint(const LabSpec& lab);

}  // namespace kv::grader

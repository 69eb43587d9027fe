#pragma once
// The bandwidth of a student's kernels on the GPU of this machine.

#include <string>
#include <vector>

#include "grader/program/base/build/build_tree.h"

namespace kv::grader {

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

}  // namespace kv::grader

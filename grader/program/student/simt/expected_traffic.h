#pragma once
// The memory traffic of simt/tests/textbook.cu as its comments state it: the cost of each access.

#include <string>
#include <vector>

namespace kv::grader {

struct ExpectedTraffic {
  std::string kernel;
  int line = 0;
  std::string operation;  // "read" or "write"
  std::string space;      // "global" or "shared"
  long num_requests = 0;
  long num_lanes = 0;
  long num_parts = 0;  // sectors of global, wavefronts of shared memory
};

std::vector<ExpectedTraffic> expected_traffic(const std::string& source);

}  // namespace kv::grader

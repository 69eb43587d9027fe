#pragma once
// What the textbook example and a compiled kernel move, as oracles of the counts.

#include <set>
#include <string>
#include <vector>

namespace kv::grader {

// The memory traffic of simt/tests/textbook.cu as its comments state it: the cost of each access.
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

// The memory accesses that nvcc compiles a source file to, by line: an oracle that needs no GPU.
struct MemoryAccess {
  int line = 0;
  std::string operation;  // "read" or "write"
  std::string space;      // "global" or "shared"
  int num_bytes = 0;      // of one lane

  auto operator<=>(const MemoryAccess&) const = default;
};

// From the output of `nvcc -lineinfo -ptx`, those in the file of this name.
std::set<MemoryAccess> ptx_accesses(const std::string& ptx, const std::string& file_name);

}  // namespace kv::grader

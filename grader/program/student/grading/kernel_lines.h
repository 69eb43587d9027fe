#pragma once
// What the simulator has found and counted at the lines of a student's kernels.

#include <cstdint>
#include <string>
#include <vector>

namespace kv::grader {

struct KernelFinding {
  std::string file;
  int line = 0;
  std::string kind;        // "out-of-bounds"
  std::string where = {};  // "block (3,0,0) of vector_add"
  std::string what = {}, means = {};
};

// Sums over the requests of one line that are of one kind.
struct LineTraffic {
  std::string file;
  int line = 0;
  bool is_shared = false;  // else device memory
  bool is_read = false;
  unsigned width = 0;  // bytes for each lane
  std::uint64_t requests = 0;
  std::uint64_t moved = 0;  // sectors of device memory, or wavefronts of shared memory
  std::uint64_t least = 0;  // that could hold the bytes
};

struct KernelLines {
  std::vector<KernelFinding> findings = {};
  std::vector<LineTraffic> traffic = {};
};

// They read records of a test process (harness/record_kinds.h).
KernelFinding finding_of(const std::string& payload);
LineTraffic traffic_of(const std::string& payload);

}  // namespace kv::grader

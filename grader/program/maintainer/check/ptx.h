#pragma once
// The memory accesses that nvcc compiles a source file to, by line: an oracle that needs no GPU.

#include <set>
#include <string>

namespace kv::grader {

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

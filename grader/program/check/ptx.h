#pragma once
// What nvcc reads and writes for a source file, by line: an oracle that needs no GPU.

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

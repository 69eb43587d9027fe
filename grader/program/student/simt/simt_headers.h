#pragma once
// CUDA's headers, compiled once for each compiler and level: they are most of what a small program
// compiles.

#include <string>
#include <vector>

#include "common/text.h"

namespace kv::grader {

struct SimtCompiler {
  std::string name;     // "g++"
  std::string version;  // what --version says
  bool is_clang() const { return version.find("clang") != std::string::npos; }
};

// More options for a compilation with these options, so that it reads the headers compiled.
// `folder` is where they are kept. None when they cannot be compiled.
std::vector<std::string> compiled_headers(const SimtCompiler& compiler,
                                          const std::vector<std::string>& options,
                                          const fs::path& simt,
                                          const fs::path& folder);

}  // namespace kv::grader

#pragma once
// Builds a CUDA program for the CPU: rewritten, compiled with the hooks of -fsanitize=thread,
// linked with our runtime.

#include <string>

#include "grader/program/kit/kit.h"
#include "grader/program/simt/simt_headers.h"

namespace kv::grader {

class SimtBuild {
 public:
  // compiler: empty for CXX, or c++. Throws UsageError when there is no such compiler.
  SimtBuild(const Kit& kit, const fs::path& file, const std::string& compiler);

  // Builds with optimization level "0" or "1" and returns the program. Throws UsageError with the
  // compiler's message.
  fs::path build(const std::string& level) const;

 private:
  void rewrite(const fs::path& file, const fs::path& to) const;
  std::vector<std::string> options(const std::string& level) const;
  void compile(const std::string& level, const fs::path& folder) const;

  const Kit& kit_;
  fs::path file_;
  fs::path folder_;  // of what is built
  SimtCompiler compiler_;
};

}  // namespace kv::grader

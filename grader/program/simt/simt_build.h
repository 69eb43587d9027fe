#pragma once
// Builds a CUDA program for the CPU: rewritten, compiled with the hooks of -fsanitize=thread,
// linked with our runtime.

#include <string>
#include <vector>

#include "grader/program/kit/kit.h"
#include "grader/program/simt/simt.h"

namespace kv::grader {

class SimtBuild {
 public:
  // Throws UsageError when a file or the compiler is not there.
  SimtBuild(const Kit& kit, const SimtOptions& options);

  // Builds with optimization level "0" or "1" and returns the program. Throws UsageError with one
  // sentence about what simt does not have, or with the compiler's message.
  fs::path build(const std::string& level) const;

 private:
  std::string names() const;  // of the files
  std::vector<std::string> include_options(const fs::path& mirror) const;
  std::vector<std::string> compile_command(const std::string& level,
                                           const fs::path& mirror,
                                           const fs::path& file) const;
  fs::path compile(const std::string& level, const fs::path& folder, std::size_t number) const;

  const Kit& kit_;
  std::vector<fs::path> files_;
  std::vector<fs::path> include_folders_;
  std::vector<std::string> options_;  // -D and -std
  fs::path folder_;                   // of what is built
  std::string compiler_;
};

}  // namespace kv::grader

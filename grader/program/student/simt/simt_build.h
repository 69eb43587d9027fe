#pragma once
// Builds a CUDA program for the CPU: rewritten, compiled with the hooks of -fsanitize=thread,
// linked with our runtime.

#include <string>
#include <vector>

#include "grader/program/base/kit/kit.h"
#include "grader/program/base/process/process.h"
#include "grader/program/student/simt/simt.h"
#include "grader/program/student/simt/simt_headers.h"

namespace kv::grader {

struct SimtProgram {
  fs::path program;
  std::string warnings;  // of the compiler
};

class SimtBuild {
 public:
  // Throws UsageError when a file or the compiler is not there.
  SimtBuild(const Kit& kit, const SimtOptions& options);

  // Builds with optimization level "0" or "1". Throws UsageError with one sentence about what simt
  // does not have, or with the compiler's message.
  SimtProgram build(const std::string& level) const;

  const std::vector<fs::path>& files() const { return files_; }
  // "g++" or "clang++", whatever its name is here.
  std::string compiler_kind() const { return compiler_.is_clang() ? "clang++" : "g++"; }

 private:
  std::string names() const;  // of the files
  std::vector<std::string> common_options(const std::string& level) const;
  std::vector<std::string> own_options(const fs::path& mirror, const fs::path& file) const;
  std::vector<std::string> headers_of(const std::string& level,
                                      const std::vector<std::string>& options) const;
  Outcome run_compiler(const std::string& level,
                       const fs::path& mirror,
                       const fs::path& file,
                       const std::vector<std::string>& source_and_object) const;
  fs::path compile(const std::string& level,
                   const fs::path& folder,
                   std::size_t number,
                   std::string& warnings) const;

  const Kit& kit_;
  std::vector<fs::path> files_;
  std::vector<fs::path> include_folders_;
  std::vector<std::string> options_;  // -D and -std
  fs::path folder_;                   // of what is built
  SimtCompiler compiler_;
};

}  // namespace kv::grader

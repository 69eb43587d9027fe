#pragma once
// Builds a CUDA program for the CPU: rewritten, compiled with the hooks of -fsanitize=thread,
// linked with our runtime.

#include <map>
#include <string>

#include "grader/program/base/json.h"
#include "grader/program/kit/kit.h"
#include "grader/program/simt/simt_headers.h"
#include "simt/rewrite/refusals.h"

namespace kv::grader {

class SimtBuild {
 public:
  // compiler: empty for CXX, or c++. Throws UsageError when there is no such compiler.
  SimtBuild(const Kit& kit, const fs::path& file, const std::string& compiler);

  // Builds with optimization level "0" or "1" and returns the program. Throws UsageError with the
  // compiler's message.
  fs::path build(const std::string& level);

  // "g++" or "clang++", whatever its name is here.
  std::string compiler_kind() const;

  // What nvcc does not compile, in files that have been built, as findings.
  const Json& refusals() const { return refusals_; }

 private:
  void read(const fs::path& file);
  void add_refusal(const fs::path& file, const simt::Refusal& refusal);
  void add_arrays(const std::string& warnings);
  void rewrite(const fs::path& file, const fs::path& to) const;
  std::vector<std::string> options(const std::string& level) const;
  void compile(const std::string& level, const fs::path& folder) const;

  const Kit& kit_;
  fs::path file_;
  fs::path folder_;  // of what is built
  SimtCompiler compiler_;
  std::map<fs::path, std::string> sources_;  // the program's own files
  Json refusals_ = Json::array();
};

}  // namespace kv::grader

#pragma once
// A CMake build folder of the kit.

#include <functional>
#include <string>

#include "grader/program/kit/kit.h"
#include "grader/program/process/process.h"

namespace kv::grader {

// Where warnings are errors. A change from one of the last two to the other does not compile the
// tests again.
enum class Werror { kNowhere, kInTheKit, kEverywhere };

struct BuildOptions {
  bool together = false;
  bool sanitize = false;
  Werror werror = Werror::kNowhere;
  std::string compiler = {};  // empty: CXX, or CMake's choice
  std::string type = "Student";
  bool native = false;  // for a bench: -O3 -march=native
};

class BuildTree {
 public:
  // folder: inside kit.build. stage: the tree that is built (LAB_IMPL).
  BuildTree(const Kit& kit, const std::string& folder, fs::path stage, const BuildOptions& options);

  // Runs CMake if it has not run yet, or if files were added or removed.
  void configure();  // throws KitBroken

  // Shows the progress on the terminal. on_line: see Command.
  Outcome build(const std::string& target,
                const std::function<void(const std::string&)>& on_line = {});

  fs::path program(const std::string& target) const { return folder_ / target; }
  const fs::path& folder() const { return folder_; }

 private:
  const Kit& kit_;
  fs::path folder_;
  fs::path stage_;
  BuildOptions options_;
};

// The first error in the output of a build, with the lines that explain it.
std::string first_error(const std::string& output);

}  // namespace kv::grader

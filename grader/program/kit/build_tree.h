#pragma once
// A CMake build folder of the kit, and what can be built in it.

#include <functional>
#include <string>

#include "grader/program/kit/kit.h"
#include "grader/program/process/process.h"

namespace kv::grader {

// Where warnings are errors. To change it between the last two compiles no test again.
enum class Werror { kNowhere, kInTheKit, kEverywhere };

struct BuildOptions {
  bool together = false;
  bool sanitize = false;
  Werror werror = Werror::kNowhere;
  std::string compiler = {};  // empty: CMake's choice, which honors CXX
  std::string type = "Student";
};

class BuildTree {
 public:
  // folder: inside kit.build. stage: the tree that is built (LAB_IMPL).
  BuildTree(const Kit& kit, const std::string& folder, fs::path stage, const BuildOptions& options);

  // Runs CMake where it has not run yet, or where which files exist has changed.
  void configure();  // throws KitBroken

  // Says on the terminal what is being built, and how far it is. on_line: see Command.
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

// The part of a build's output that a person should read: the first error and the lines that
// explain it.
std::string first_error(const std::string& output);

}  // namespace kv::grader

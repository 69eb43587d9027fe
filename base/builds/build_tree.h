#pragma once
// A CMake build folder of the kit. CMake, Ninja and Make compare dates, which lie after a clock was
// set back; so what a staged file decides is decided here, by its content.

#include <functional>
#include <string>

#include "base/builds/built_files.h"
#include "base/builds/diagnostics.h"
#include "base/kit/kit.h"
#include "base/process/process.h"

namespace kv::grader {

// Where warnings are errors. A change from one of the last two to the other does not compile the
// tests again.
enum class Werror { kNowhere, kInTheKit, kEverywhere };

struct BuildOptions {
  bool together = false;
  bool sanitize = false;
  Werror werror = Werror::kNowhere;
  std::string compiler = {};  // empty: CXX, or CMake's choice
  std::string type = "Graded";
  bool native = false;      // for a bench: -O3 -march=native
  bool keep_going = false;  // after an error, to show those of all files
};

class BuildTree {
 public:
  // folder: inside kit.build. stage: the tree that is built (LAB_IMPL).
  BuildTree(const Kit& kit, const std::string& folder, fs::path stage, const BuildOptions& options);

  // Runs CMake if it has not run yet, or if files were added or removed; and removes what was built
  // from staged files that have changed since.
  void configure();  // throws KitBroken, MachineFailed

  // Shows the progress on the terminal. on_line, wall_seconds: see Command. What was built when the
  // time was over is not built again by the next one. When it is not ok(), sources or the time are
  // the reason. Throws MachineFailed; CompilerExhausted when a compiler needs far more memory or
  // time than for any file of the kit; LibraryMissing for a target of a lab that lacks one.
  Outcome build(const std::string& target,
                const std::function<void(const std::string&)>& on_line = {},
                std::optional<double> wall_seconds = {});

  fs::path program(const std::string& target) const { return folder_ / target; }
  const fs::path& folder() const { return folder_; }

 private:
  Command configuration() const;

  // The note that CMake leaves for what lacks a library (cmake/dependencies.cmake).
  std::optional<std::string> lack_of(const std::string& target) const;
  void refuse_lack(const std::string& target);  // throws LibraryMissing

  // The output with paths in the stage instead of those of CMake's copy.
  std::string with_staged_headers(std::string output) const;

  const Kit& kit_;
  fs::path folder_;
  fs::path stage_;
  BuildOptions options_;
  BuiltFiles built_;
  bool has_looked_again_ = false;  // for a library that was missing
};

}  // namespace kv::grader

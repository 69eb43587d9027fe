#pragma once
// Builds and grades generated trees: known bugs, mutants, labs that are solved up to a step.

#include <string>

#include "grader/engine/grading/grade_lab.h"

namespace kv::grader {

class ScratchBuild {
 public:
  ScratchBuild(const Kit& kit, const BuildOptions& options, const std::string& folder);

  // Grades one lab of `tree`: "starter", "solution" or a path.
  LabResult grade(const LabSpec& lab, const std::string& tree, const RunOptions& options);

  // Builds one target of `tree`; the build may fail.
  Outcome try_build(const LabSpec& lab,
                    const std::string& tree,
                    const std::string& target,
                    const std::function<void(const std::string&)>& on_line = {});

  // Builds one target of `tree` and returns the program. Throws KitBroken when it does not build.
  fs::path build(const LabSpec& lab, const std::string& tree, const std::string& target);

  const BuildTree& build_tree() const { return build_; }
  BuildTree& build_tree() { return build_; }
  const fs::path& stage() const { return stage_; }  // what was graded or built last

 private:
  const Kit& kit_;
  fs::path stage_;
  BuildTree build_;
};

// For generated trees; warnings in their files are not errors. Why shared: tests take long to
// compile.
ScratchBuild shared_scratch_build(const Kit& kit, bool sanitize = false);

// For the kit's own trees, with a compiler of your choice; warnings are errors everywhere.
ScratchBuild strict_scratch_build(const Kit& kit,
                                  const std::string& compiler,
                                  bool sanitize = false);

// The compiler of shared scratch builds.
std::string shared_compiler();

}  // namespace kv::grader

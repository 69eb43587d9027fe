#pragma once
// A place to build and grade made-up trees: wrong answers, mutants, half-solved labs.

#include <string>

#include "grader/program/grading/grade_lab.h"

namespace kv::grader {

// One folder to build a made-up tree in, and to grade it from.
class ScratchBuild {
 public:
  ScratchBuild(const Kit& kit, const BuildOptions& options, const std::string& folder);

  // Grades one lab of `tree`: "starter", "solution" or a path.
  LabResult grade(const LabSpec& lab, const std::string& tree, const RunOptions& options);

  // Builds one target of `tree`, which may fail.
  Outcome try_build(const LabSpec& lab,
                    const std::string& tree,
                    const std::string& target,
                    const std::function<void(const std::string&)>& on_line = {});

  // Builds one target of `tree` and gives the program. Throws KitBroken when it does not build.
  fs::path build(const LabSpec& lab, const std::string& tree, const std::string& target);

  const BuildTree& build_tree() const { return build_; }

 private:
  const Kit& kit_;
  fs::path stage_;
  BuildTree build_;
};

// Builds are shared, because tests take long to compile: by all made-up trees, in which warnings
// are no errors,
ScratchBuild shared_scratch_build(const Kit& kit, bool sanitize = false);

// and, with the compilers that are asked for, by the kit's own, in which they are.
ScratchBuild strict_scratch_build(const Kit& kit,
                                  const std::string& compiler,
                                  bool sanitize = false);

// What shared trials are compiled with.
std::string shared_compiler();

}  // namespace kv::grader

#pragma once
// The tests of a lab in which each function comes from the student's files or from the solution's
// (grader/harness/sides/slots.cpp). Verdicts, points and costs never come from it.

#include <optional>

#include "grader/engine/cause/unit.h"
#include "grader/engine/grading/grade_lab.h"

namespace kv::grader::cause {

// Why not elsewhere: a call has to reach the function that the program chooses, also a call within
// one library, and Linux's linker arranges that.
#ifdef __linux__
inline constexpr bool kCanMix = true;
#else
inline constexpr bool kCanMix = false;
#endif

class MixedProgram {
 public:
  // Builds it in the build folder of the lab's tests. Nothing if it does not build.
  static std::optional<MixedProgram> build(const Kit& kit,
                                           BuildTree& tree,
                                           const fs::path& student,
                                           const LabSpec& lab);

  // Runs the tests that the filter names. `from_student` come from the student, everything else
  // from the solution.
  Outcome run(const std::string& filter,
              const std::set<std::string>& from_student,
              double cpu_seconds,
              RunOptions options) const;

  // What the student's files define of the lab.
  const std::set<std::string>& functions() const { return functions_; }

 private:
  MixedProgram(const Kit& kit, const BuildTree& tree, const LabSpec& lab)
      : kit_(kit), tree_(tree), lab_(lab) {}

  bool build_parts(BuildTree& tree, const fs::path& student);

  const Kit& kit_;
  const BuildTree& tree_;
  const LabSpec& lab_;
  std::vector<Symbol> slots_ = {};
  std::set<std::string> functions_ = {};
};

}  // namespace kv::grader::cause

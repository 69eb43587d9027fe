#pragma once

#include <set>

#include "grader/program/student/cause/cause.h"
#include "grader/program/student/grading/signatures.h"
#include "grader/program/student/variations/scratch_build.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {

// The known bugs of a lab and their near misses, to be graded one by one. Where a bug changes only
// bodies of functions, it is built together with all others of this kind (joint_tree.h). The few
// others get a tree of their own.
class BugTrees {
 public:
  // Which tests run. Random histories never do unless the bug names one: they take most of the
  // time. kExpected leaves out slow tests, too, unless a signature says that they fail, and tests
  // that reach their time limit, unless the bug names them.
  enum class Tests { kAll, kExpected };

  BugTrees(const Kit& kit, const LabSpec& lab, Tests tests);  // throws KitBroken

  // Those of the common build come first.
  const std::vector<Variation>& bugs() const { return bugs_; }

  // bug: an index. build: the same for all. With the causes of its failures. The result is valid
  // until the next call.
  LabResult grade(std::size_t bug, ScratchBuild& build, const cause::SearchOptions& how);

 private:
  struct CommonBuild {
    // Why without initializers: with them clang 14 does not make an optional of this class here.
    std::optional<cause::MixedProgram> program;  // none of kernels
    std::vector<cause::Unit> units;
  };

  void build_common(ScratchBuild& build);
  std::vector<TestResult> run_in_common(std::size_t bug, ScratchBuild& build);
  bool is_graded(const Variation& bug, const TestSpec& test) const;
  bool is_expected_to_fail(const Variation& bug, const TestSpec& test) const;
  const std::string* message_written_for(const Variation& bug, const TestSpec& test) const;
  RunOptions options_for(std::size_t bug) const;

  const Kit& kit_;
  const LabSpec& lab_;
  Tests tests_;
  LabSpec graded_;  // with the tests of the bug at hand
  fs::path common_tree_;
  std::vector<Variation> bugs_ = {};
  std::size_t num_in_common_ = 0;
  std::map<std::string, Signature> signatures_ = {};  // what is written of each bug
  std::set<std::string> slow_tests_ = {};
  std::optional<CommonBuild> common_ = {};  // while it is the last that was built
};

}  // namespace kv::grader

#pragma once

#include <set>

#include "grader/program/blame/cause.h"
#include "grader/program/check/variation.h"
#include "grader/program/grading/scratch_build.h"

namespace kv::grader {

// The known bugs of a lab and their near misses, to be graded one by one. Where a bug changes only
// bodies of functions, it is built together with all others of this kind (joint_tree.h). The few
// others get a tree of their own.
class BugTrees {
 public:
  BugTrees(const Kit& kit, const LabSpec& lab);  // throws KitBroken

  // Those of the common build come first.
  const std::vector<Variation>& bugs() const { return bugs_; }

  // bug: an index. build: the same for all. With the causes of its failures. Without the random
  // histories, unless the bug names one: they take most of the time. The result is valid as long
  // as this object.
  LabResult grade(std::size_t bug, ScratchBuild& build, const blame::SearchOptions& how);

 private:
  LabResult grade_in_common(std::size_t bug, const LabSpec& lab, ScratchBuild& build);
  RunOptions options_for(std::size_t bug) const;
  bool names_a_history(const Variation& bug) const;

  const Kit& kit_;
  const LabSpec& lab_;
  LabSpec without_histories_;
  fs::path common_tree_;
  std::vector<Variation> bugs_ = {};
  std::size_t num_in_common_ = 0;
  std::optional<blame::MixedProgram> common_program_ = {};
  std::vector<blame::Unit> common_units_ = {};
};

}  // namespace kv::grader

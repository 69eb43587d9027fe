#pragma once
// The known mistakes of a lab, ready to be graded one by one.

#include <set>

#include "grader/program/check/variation.h"
#include "grader/program/grading/trial_tree.h"

namespace kv::grader {

// Where a mistake stays inside of functions, it is built with all others of its kind, as mutants
// are (mutate/schemata.h): to compile a hundred trees one by one takes minutes. The few others get
// a tree of their own.
class MistakeBank {
 public:
  MistakeBank(const Kit& kit, const LabSpec& lab);  // throws KitBroken

  // Those of the common build come first.
  const std::vector<Variation>& mistakes() const { return mistakes_; }

  // mistake: an index. trial: the same for all.
  LabResult grade(std::size_t mistake, TrialTree& trial) const;

 private:
  void write_common_tree() const;

  const Kit& kit_;
  const LabSpec& lab_;
  fs::path common_tree_;
  std::vector<Variation> mistakes_;
  std::size_t num_in_common_ = 0;
};

}  // namespace kv::grader

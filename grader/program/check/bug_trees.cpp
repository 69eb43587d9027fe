#include "grader/program/check/bug_trees.h"

#include <algorithm>
#include <iterator>

#include "grader/program/base/errors.h"
#include "grader/program/check/joint_tree.h"

namespace kv::grader {
namespace {

// In the common tree.
int variant_of(std::size_t bug) {
  return static_cast<int>(bug) + 1;
}

bool is_history(const TestSpec& test) {
  return test.group == "history";
}

}  // namespace

BugTrees::BugTrees(const Kit& kit, const LabSpec& lab)
    : kit_(kit), lab_(lab), without_histories_(lab), common_tree_(kit.build / "known-bugs") {
  std::erase_if(without_histories_.tests, is_history);
  JointTree common(kit, lab);
  std::vector<Variation> others;
  for (const char* kind : {"known_bugs", "near_misses"}) {
    for (const Variation& bug : load_variations(kit, lab, kind)) {
      const bool is_common =
          common.add(variant_of(bugs_.size()), bug.file, varied_text(kit, lab, bug), bug.includes);
      (is_common ? bugs_ : others).push_back(bug);
    }
  }
  num_in_common_ = bugs_.size();
  std::ranges::move(others, std::back_inserter(bugs_));
  common.write(common_tree_);
}

RunOptions BugTrees::options_for(std::size_t bug) const {
  RunOptions options{.seed = kit_.manifest.seed};
  if (!bugs_[bug].shrinks_to) options.environment["KV_SHRINK"] = "0";
  if (bug < num_in_common_) JointTree::choose(variant_of(bug), options);
  return options;
}

bool BugTrees::names_a_history(const Variation& bug) const {
  return bug.shrinks_to || std::ranges::any_of(lab_.tests, [&](const TestSpec& test) {
           return is_history(test) &&
                  (test.name == bug.killed_by || std::ranges::count(bug.only_by, test.name) > 0);
         });
}

// Builds at the first call only.
LabResult BugTrees::grade_in_common(std::size_t bug, const LabSpec& lab, ScratchBuild& build) {
  if (!common_program_) {
    LabResult result = build.grade(lab, common_tree_, options_for(bug));
    auto program = blame::MixedProgram::build(kit_, build.build_tree(), common_tree_, lab_);
    if (!program) throw KitBroken("lab " + lab_.id + ": no program to search causes with");
    common_program_.emplace(*std::move(program));
    common_units_ = blame::changed_units(kit_, lab_, common_tree_);
    return result;
  }
  return {.lab = &lab,
          .state = LabState::kInProgress,
          .tests = run_tests(kit_, build.build_tree(), lab, options_for(bug))};
}

LabResult BugTrees::grade(std::size_t bug, ScratchBuild& build, const blame::SearchOptions& how) {
  const LabSpec& lab = names_a_history(bugs_[bug]) ? lab_ : without_histories_;
  const RunOptions options = options_for(bug);
  if (bug < num_in_common_) {
    LabResult result = grade_in_common(bug, lab, build);
    blame::add_causes(*common_program_, common_units_, options, how, result);
    return result;
  }
  const fs::path tree = write_variation(kit_, lab_, bugs_[bug]);
  LabResult result = build.grade(lab, tree, options);
  blame::add_causes(kit_, build.build_tree(), tree, options, how, result);
  return result;
}

}  // namespace kv::grader

#pragma once
// The signatures of a lab's known bugs, from a run of its tests.

#include <functional>

#include "grader/proof/check/bug_trees.h"

namespace kv::grader {

using LookAtBug = std::function<void(const Variation&, const LabResult&, const Signature&)>;

// Grades the known bugs of a lab and their near misses, and returns the signatures of the bugs. A
// bug is not named if a near miss has its messages, too.
// how: of the search for causes; nullopt: there is none.
// look: called after each.
// asked: the bugs by name; empty: all.
std::vector<Signature> grade_bugs(const Kit& kit,
                                  BugTrees& trees,
                                  ScratchBuild& build,
                                  const std::optional<cause::SearchOptions>& how,
                                  const LookAtBug& look,
                                  const std::vector<std::string>& asked = {});

}  // namespace kv::grader

#pragma once

#include "grader/program/maintainer/check/bug_trees.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// The cases of one lab (grader/cases/causes.json). Builds other trees than `known` at the end.
void check_causes(
    const Kit& kit, const LabSpec& lab, BugTrees& known, ScratchBuild& build, Checks& checks);

}  // namespace kv::grader

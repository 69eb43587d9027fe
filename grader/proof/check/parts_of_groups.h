#pragma once
// The parts of groups of checks that are in files of their own.

#include "grader/desk/predict/predict_session.h"
#include "grader/engine/variations/scratch_build.h"
#include "grader/proof/check/bug_trees.h"
#include "grader/proof/check/check.h"

namespace kv::grader {

// The cases of one lab (grader/proof/cases/causes.json). Builds other trees than `known` at the
// end.
void check_causes(
    const Kit& kit, const LabSpec& lab, BugTrees& known, ScratchBuild& build, Checks& checks);

// What is said of code that does not end, or ends late.
void check_loops(const Kit& kit, ScratchBuild& build, Checks& checks);

// Fails for each line of a failure's text that shows how the framework prints a value, the name of
// a C++ type, an address, or more than fits on a screen. `name`: of the code that was graded.
void expect_readable(const std::string& name, const LabResult& result, Checks& checks);

// Writes the solution of the lab with the files of an alternative in place of its own, and returns
// the tree.
fs::path write_alternative(const Kit& kit, const LabSpec& lab, const fs::path& alternative);

// `./lab predict` as a student meets it: right and wrong answers to the questions of a lab.
void check_sessions(const LabSpec& lab,
                    const std::vector<PredictQuestion>& questions,
                    const PredictPrograms& programs,
                    Checks& checks);

}  // namespace kv::grader

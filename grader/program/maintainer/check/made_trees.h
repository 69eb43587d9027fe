#pragma once
// Trees made from the starter and the solution.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

// Writes the solution of the lab with the files of an alternative in place of its own, and returns
// the tree.
fs::path write_alternative(const Kit& kit, const LabSpec& lab, const fs::path& alternative);

// Trees in which a lab is solved up to a step.

// Writes the lab's files to `tree`: the solution up to and including one step; later steps are
// still stubs.
void write_stair(const Kit& kit,
                 const LabSpec& lab,
                 const std::string& last_step,
                 const fs::path& tree);

}  // namespace kv::grader

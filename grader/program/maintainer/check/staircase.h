#pragma once
// Trees in which a lab is solved up to a step.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

// Writes the lab's files to `tree`: the solution up to and including one step; later steps are
// still stubs.
void write_stair(const Kit& kit,
                 const LabSpec& lab,
                 const std::string& last_step,
                 const fs::path& tree);

}  // namespace kv::grader

#pragma once
// What to do next: the step at hand.

#include <string>

#include "grader/program/student/steps/standing.h"

namespace kv::grader::desk {

// What to read and what to write, with places that an editor's terminal can open.
std::string next_text(const Kit& kit, const Tree& tree, const LabStanding& standing);

}  // namespace kv::grader::desk

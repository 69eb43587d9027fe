#pragma once
// What a student reads between two gradings: the step at hand, and all steps.

#include <string>

#include "grader/program/desk/standing.h"

namespace kv::grader::desk {

// What to read and what to write, with places that an editor's terminal can open.
std::string next_text(const Kit& kit, const Tree& tree, const LabStanding& standing);

// A line for each step of a lab: its state and its points. At most 80 columns.
std::string list_text(const LabStanding& standing);

// One line about several labs.
std::string summary_text(const Tree& tree, const std::vector<LabStanding>& standings);

}  // namespace kv::grader::desk

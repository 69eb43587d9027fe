#pragma once
// All steps, and how far each is.

#include <string>
#include <vector>

#include "grader/program/student/steps/standing.h"

namespace kv::grader::desk {

// A line for each step of a lab: its state and its points. At most 80 columns.
std::string list_text(const LabStanding& standing);

// One line about several labs.
std::string summary_text(const Tree& tree, const std::vector<LabStanding>& standings);

}  // namespace kv::grader::desk

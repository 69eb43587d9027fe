#pragma once
// Whether what was handed in for a lab is the kit's solution.

#include <string>

#include "base/kit/kit.h"

namespace kv::grader::classroom {

// A note for the instructor: all files are the same, or their functions are but for what a copier
// changes most easily. Empty: neither.
std::string solution_note(const Kit& kit, const LabSpec& lab, const fs::path& tree);

}  // namespace kv::grader::classroom

#pragma once
// Trees made from the starter and the solution.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

// Writes the solution of the lab with the files of an alternative in place of its own, and returns
// the tree.
fs::path write_alternative(const Kit& kit, const LabSpec& lab, const fs::path& alternative);

}  // namespace kv::grader

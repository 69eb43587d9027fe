#pragma once
// `./lab new-lab` makes a lab that passes the checks of form and can be graded.

#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {

void check_new_lab(const Kit& kit, const KitCopy& copy, Checks& checks);

}  // namespace kv::grader

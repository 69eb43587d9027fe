#pragma once
// The script ./lab: what it says and does while programs are built.

#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

void check_lab_script(const Kit& kit, Checks& checks);

}  // namespace kv::grader

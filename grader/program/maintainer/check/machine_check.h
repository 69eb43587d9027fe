#pragma once
// Circumstances of a machine that must not change a score, or lose it.

#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {

void check_machine(const Kit& kit, const KitCopy& copy, Checks& checks);

}  // namespace kv::grader

#pragma once

#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {

// What ./lab diff takes and refuses.
void check_diff_use(const Kit& kit, const KitCopy& copy, Checks& checks);

}  // namespace kv::grader

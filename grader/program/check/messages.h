#pragma once

#include "grader/program/check/check.h"

namespace kv::grader {

// The first error that a student reads, for the usual beginner's errors, with each compiler.
void check_compile_errors(const Kit& kit, Checks& checks);

}  // namespace kv::grader

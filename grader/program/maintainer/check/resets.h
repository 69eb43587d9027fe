#pragma once

#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// `./lab reset`: every step of every lab, and files in which it must change nothing.
void check_resets(const Kit& kit, Checks& checks);

}  // namespace kv::grader

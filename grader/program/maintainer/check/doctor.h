#pragma once

#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// `./lab doctor` on this and on another system, and the packages of the Dockerfile.
void check_doctor(const Kit& kit, Checks& checks);

}  // namespace kv::grader

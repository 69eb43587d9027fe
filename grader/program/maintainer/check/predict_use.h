#pragma once

#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {

// `./lab predict` as a command: wrong use, exit codes, and which lines count as equal.
void check_predict_use(const KitCopy& copy, Checks& checks);

}  // namespace kv::grader

#pragma once
// The tables and the summary of a class whose rows are made by hand.

#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

void check_class_tables(const Kit& kit, Checks& checks);

}  // namespace kv::grader

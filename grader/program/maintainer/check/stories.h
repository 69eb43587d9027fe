#pragma once
// What a student reads of a failing test has to be in words that a student can read.

#include <string>

#include "grader/program/maintainer/check/check.h"

namespace kv::grader {

// Fails for each line of a failure's text that shows how the framework prints a value, the name of
// a C++ type, an address, or more than fits on a screen. `name`: of the code that was graded.
void expect_readable(const std::string& name, const LabResult& result, Checks& checks);

}  // namespace kv::grader

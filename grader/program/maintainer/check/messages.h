#pragma once

#include "grader/program/maintainer/check/check.h"
#include "grader/program/student/variations/scratch_build.h"

namespace kv::grader {

// The first error that a student reads, for the usual beginner's errors, with each compiler.
void check_compile_errors(const Kit& kit, Checks& checks);

// What is said of code that does not end, or ends late.
void check_loops(const Kit& kit, ScratchBuild& build, Checks& checks);

// The table of a report, and what comes next.
void check_report_table(const Kit& kit, Checks& checks);

}  // namespace kv::grader

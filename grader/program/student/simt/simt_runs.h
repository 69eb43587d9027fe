#pragma once
// Runs a program in both orders of threads with checks, and once more with a profile.

#include "grader/program/base/kit/json.h"
#include "grader/program/student/simt/simt.h"

namespace kv::grader {

// The findings and counts of all runs, as --json writes them.
Json run_simt(const Kit& kit, const SimtOptions& options);

}  // namespace kv::grader

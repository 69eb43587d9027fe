#pragma once
// The runs of one program: checked in one order of threads and in the other, then profiled.

#include "grader/program/base/json.h"
#include "grader/program/simt/simt.h"

namespace kv::grader {

// What all runs found and counted together, as --json writes it.
Json run_simt(const Kit& kit, const SimtOptions& options);

}  // namespace kv::grader

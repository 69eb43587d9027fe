#pragma once
// The runs of a program and what they found, as JSON; and the report as text.

#include <string>
#include <vector>

#include "grader/program/base/kit/json.h"
#include "grader/program/student/simt/simt.h"

namespace kv::grader {

// Runs a program in both orders of threads with checks, and once more with a profile. Returns the
// findings and counts of all runs, as --json writes them.
Json run_simt(const Kit& kit, const SimtOptions& options);

// The output of `./lab simt`.
std::string simt_findings(const Json& all);

// "checked with g++ and clang++"
std::string simt_checkers(const Json& all);

// A table for each kernel's lines.
std::string simt_profile(const Json& all);

// The source with the cost of each line.
std::string simt_listing(const Json& all);

// The lines of a source file; none when it cannot be read.
std::vector<std::string> source_lines(const std::string& file);

}  // namespace kv::grader

#pragma once
// The output of `./lab simt`.

#include <string>
#include <vector>

#include "grader/program/base/kit/json.h"

namespace kv::grader {

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

#pragma once
// Classroom 50: result.json of an autograder, of the schema classroom50/result/v1.

#include "grader/program/base/kit/json.h"
#include "grader/program/course/services/scored.h"

namespace kv::grader::services {

// Reads the environment that Classroom 50's runner sets. Throws UsageError: a variable is missing.
// The schema has no points beyond the maximum: extra tests have max-score 0, and their points are
// in fields of their own.
Json classroom50_result(const Scored& scored);

// The lines for $GITHUB_OUTPUT.
std::string classroom50_outputs(const Scored& scored);

}  // namespace kv::grader::services

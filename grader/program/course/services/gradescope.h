#pragma once
// Gradescope: results.json of an autograder.

#include "grader/program/base/kit/json.h"
#include "grader/program/course/services/scored.h"

namespace kv::grader::services {

// extra_visibility: of the extra tests: "visible", "hidden", "after_due_date" or "after_published".
// The points are core and extra together, so they can exceed those of the assignment.
Json gradescope_results(const Scored& scored, const std::string& extra_visibility);

}  // namespace kv::grader::services

#pragma once
// The files that each service reads, from one graded submission.

#include <string>

#include "base/kit/json.h"
#include "grader/classroom/bundles/scored.h"

namespace kv::grader::services {

// Gradescope: results.json of an autograder.

// extra_visibility: of the extra tests: "visible", "hidden", "after_due_date" or "after_published".
// The points are core and extra together, so they can exceed those of the assignment.
Json gradescope_results(const Scored& scored, const std::string& extra_visibility);

// Classroom 50: result.json of an autograder, of the schema classroom50/result/v1.

// Reads the environment that Classroom 50's runner sets. Throws UsageError: a variable is missing.
// The schema has no points beyond the maximum: extra tests have max-score 0, and their points are
// in fields of their own.
Json classroom50_result(const Scored& scored);

// The lines for $GITHUB_OUTPUT.
std::string classroom50_outputs(const Scored& scored);

// The text of the release in Markdown: a table of the labs' steps, then the first failing test of
// each lab in full.
std::string classroom50_release(const Scored& scored);

}  // namespace kv::grader::services

#pragma once
// The files that each service reads, from one graded submission.

#include <map>

#include "grader/program/base/kit/json.h"
#include "grader/program/course/services/scored.h"

namespace kv::grader::services {

// Gradescope: results.json of an autograder.

// extra_visibility: of the extra tests: "visible", "hidden", "after_due_date" or "after_published".
// The points are core and extra together, so they can exceed those of the assignment.
Json gradescope_results(const Scored& scored, const std::string& extra_visibility);

// GitHub Classroom: what its autograding reporter reads, one "runner" for the core points of each
// lab and one for its extra points.

// The ids of a lab's runners: "lab01", "lab01extra".
std::string runner_id(const LabSpec& lab, bool is_core);

// By the id of the runner. That of the extra points has max_score 0, so the reporter shows it and
// does not count it.
std::map<std::string, Json> github_results(const Scored& scored,
                                           const std::vector<const LabSpec*>& labs);

// A line "id=..." for each runner, as a step of a workflow appends it to $GITHUB_OUTPUT; the value
// is the JSON in base64.
std::string github_outputs(const std::map<std::string, Json>& results);

// Classroom 50: result.json of an autograder, of the schema classroom50/result/v1.

// Reads the environment that Classroom 50's runner sets. Throws UsageError: a variable is missing.
// The schema has no points beyond the maximum: extra tests have max-score 0, and their points are
// in fields of their own.
Json classroom50_result(const Scored& scored);

// The lines for $GITHUB_OUTPUT.
std::string classroom50_outputs(const Scored& scored);

// One graded submission in Markdown, for the summary of a GitHub job and the text of a release.

// A table of the labs' steps, then the first failing test of each lab in full.
std::string markdown(const Scored& scored);

}  // namespace kv::grader::services

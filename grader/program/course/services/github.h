#pragma once
// GitHub Classroom: what its autograding reporter reads, one "runner" for the core points of each
// lab and one for its extra points.

#include <map>

#include "grader/program/base/kit/json.h"
#include "grader/program/course/services/scored.h"

namespace kv::grader::services {

// The ids of a lab's runners: "lab01", "lab01extra".
std::string runner_id(const LabSpec& lab, bool is_core);

// By the id of the runner. That of the extra points has max_score 0, so the reporter shows it and
// does not count it.
std::map<std::string, Json> github_results(const Scored& scored,
                                           const std::vector<const LabSpec*>& labs);

// A line "id=..." for each runner, as a step of a workflow appends it to $GITHUB_OUTPUT; the value
// is the JSON in base64.
std::string github_outputs(const std::map<std::string, Json>& results);

}  // namespace kv::grader::services

#pragma once
// What each service says about the file that it reads, as checks: the published rules, and no
// other.

#include <string>
#include <vector>

#include "grader/program/base/kit/json.h"

namespace kv::grader {

// Each returns the first rule that is broken, or nothing.

// Gradescope's "Autograder Specifications": keys, their types, and the words that a key may have.
std::string broken_gradescope_rule(const Json& results);

// GitHub Classroom's graders and its reporter: a runner's JSON.
std::string broken_github_rule(const Json& runner);

// Classroom 50's result-v1.schema.json, and what its description adds for the validators.
std::string broken_classroom50_rule(const Json& result);

// GitHub Classroom's reporter, as far as it reads the workflow and the outputs of its steps.

// The names in the line "runners: lab01,lab01extra" of a workflow.
std::vector<std::string> reported_runners(const std::string& workflow);

// The variable ID_RESULTS of the workflow names an output of the step that grades; its value is in
// `outputs`, in base64. null: one of these is missing, or it is no JSON.
Json reported_results(const std::string& workflow,
                      const std::string& outputs,
                      const std::string& id);

// Every block of a Markdown text that begins with a row of backticks ends with the same row.
bool has_closed_fences(const std::string& markdown);

}  // namespace kv::grader

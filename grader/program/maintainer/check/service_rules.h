#pragma once
// What each service says about the file that it reads, as checks: the published rules, and no
// other.

#include <string>

#include "grader/program/base/kit/json.h"

namespace kv::grader {

// Each returns the first rule that is broken, or nothing.

// Gradescope's "Autograder Specifications": keys, their types, and the words that a key may have.
std::string broken_gradescope_rule(const Json& results);

// GitHub Classroom's graders and its reporter: a runner's JSON.
std::string broken_github_rule(const Json& runner);

// Classroom 50's result-v1.schema.json, and what its description adds for the validators.
std::string broken_classroom50_rule(const Json& result);

}  // namespace kv::grader

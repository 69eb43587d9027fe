#pragma once
// The story of a failing test as JSON; docs/dev/story.md is its schema.

#include "grader/program/base/kit/json.h"
#include "grader/program/student/grading/story.h"

namespace kv::grader {

// null if there is no story.
Json json_of(const Story& story);

}  // namespace kv::grader

#pragma once
// One graded submission in Markdown, for the summary of a GitHub job and the text of a release.

#include "grader/program/course/services/scored.h"

namespace kv::grader::services {

// A table of the labs' steps, then the first failing test of each lab in full.
std::string markdown(const Scored& scored);

}  // namespace kv::grader::services

#pragma once
// Which files of the kit are in a handout.

#include <map>
#include <string>

#include "grader/program/course/handout/terms.h"

namespace kv::grader::handout {

// From the path in the handout to the text's place in the kit. Only files that git tracks. Of a
// closed lab, solution/ has the stubs, and of its cases only signatures.json is there: it says
// which tests a known bug fails, and has no code. Throws UsageError: the kit is no git repository.
std::map<std::string, fs::path> files_of(const Kit& kit, const Terms& terms);

}  // namespace kv::grader::handout

#pragma once

#include <string>
#include <vector>

#include "grader/program/base/text.h"

namespace kv::grader {

// What an instructor should look at in the objects of a submission: references that an honest
// solution does not need.
std::vector<std::string> flags_of(const fs::path& objects_folder);

}  // namespace kv::grader

#pragma once

#include <string>
#include <vector>

#include "grader/program/student/submission/submission.h"

namespace kv::grader {

// What an instructor should look at in a lab of a submission: in its text, and in its objects.
std::vector<std::string> flags_of(const Submission& submission,
                                  const LabSpec& lab,
                                  const fs::path& objects_folder);

}  // namespace kv::grader

#pragma once
// A tree may have its own copy of a contract header: other private members, the same public part.

#include <optional>
#include <string>

#include "grader/program/submission/submission.h"

namespace kv::grader {

// The message for the first header that changes the public part; nullopt when none does.
std::optional<std::string> changed_public_interface(const Kit& kit,
                                                    const Submission& submission,
                                                    const LabSpec& lab);

// A header without comments, includes, line breaks, one-line bodies and private sections.
std::string public_part(const std::string& header);

}  // namespace kv::grader

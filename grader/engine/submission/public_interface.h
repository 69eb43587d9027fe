#pragma once
// A tree may have its own copy of a contract header: other private members, the same public part.

#include <optional>
#include <string>

#include "grader/engine/submission/submission.h"

namespace kv::grader {

// The message for the first header that changes the public part; nullopt when none does.
std::optional<std::string> changed_public_interface(const Kit& kit,
                                                    const Submission& submission,
                                                    const LabSpec& lab);

// The first public declaration in which `own` differs from `contract`, as two lines; nullopt when
// none does. The order of functions does not count, and `own` may have types of its own outside of
// those of the contract.
std::optional<std::string> changed_declaration(const std::string& contract, const std::string& own);

}  // namespace kv::grader

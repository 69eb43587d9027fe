#pragma once
// Two bodies of one normal form do the same, and their texts differ.

#include <string>
#include <string_view>
#include <vector>

namespace kv::grader::mutate {

// The tokens of a body without its comments and without statements that have no effect: empty ones,
// those after a jump, branches and loops whose condition is written false, and those that hold
// nothing else. Braces stand around every branch and loop. A condition is taken for an expression
// that changes nothing.
std::vector<std::string_view> normal_form(std::string_view body);

}  // namespace kv::grader::mutate

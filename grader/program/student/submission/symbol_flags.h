#pragma once

#include <string>
#include <vector>

#include "common/text.h"

namespace kv::grader {

// Names that the object files of a submission define or need, and that no honest solution does:
// whatever is not of the contract, of the standard library, or what the compiler adds.
std::vector<std::string> symbol_flags(const fs::path& objects_folder);

}  // namespace kv::grader

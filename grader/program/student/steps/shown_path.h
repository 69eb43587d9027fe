#pragma once

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader::desk {

// A path that an editor's terminal can open: from the current folder if both are in the clone, else
// absolute.
std::string shown_path(const Kit& kit, const fs::path& file);

}  // namespace kv::grader::desk

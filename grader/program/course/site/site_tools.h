#pragma once
// The programs that make the site: packages of Python, in a folder of their own in the build
// folder.

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

// Installs what docs/site/requirements.txt names, unless it is there. Throws UsageError.
fs::path installed_mkdocs(const Kit& kit);

}  // namespace kv::grader

#pragma once
// Archives of a submission, which may be hostile.

#include <string>

#include "base/text/text.h"

namespace kv::grader {

// "lab01.tar.gz" -> "lab01"; the whole name, if it is that of no archive. Capitals do not matter.
std::string without_archive_extension(const std::string& file);

// Unpacks an archive of any kind that CMake reads into `folder`. Returns why that was not possible,
// with the entry that is the reason, as one sentence; else nothing.
std::string unpack(const fs::path& archive, const fs::path& folder);

}  // namespace kv::grader

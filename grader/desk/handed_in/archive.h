#pragma once
// Archives of a submission, which may be hostile.

#include <string>
#include <vector>

#include "base/text/text.h"

namespace kv::grader {

// "lab01.tar.gz" -> "lab01"; the whole name, if it is that of no archive. Capitals do not matter.
std::string without_archive_extension(const std::string& file);

// Unpacks an archive of any kind that CMake reads into `folder`. Returns why that was not possible,
// with the entry that is the reason, as one sentence; else nothing.
std::string unpack(const fs::path& archive, const fs::path& folder);

// The archives in `folder`, and those in them.
std::vector<fs::path> archives_in(const fs::path& folder);

// Puts a folder in place of each, as far as they can be unpacked: "a.zip.unpacked". Not more than
// eight, and not in more than three of each other.
void unpack_inner(const fs::path& folder);

}  // namespace kv::grader

#pragma once

#include <map>
#include <string>
#include <vector>

#include "grader/program/base/text.h"

namespace kv::grader {

// SHA-256 of files, by name, in hexadecimal. `cmake -E sha256sum` prints what sha256sum prints, on
// every system that can build the kit.
std::map<std::string, std::string> sha256(
    const fs::path& folder,
    const std::vector<std::string>& files);  // throws UsageError

// One digest for many: of the lines "digest  file", which are written to the file `list`.
std::string digest_over(const std::map<std::string, std::string>& digests, const fs::path& list);

}  // namespace kv::grader

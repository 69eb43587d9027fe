#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/text.h"

namespace kv::grader {

// SHA-256 of files, by name, in hexadecimal. Why by `cmake -E sha256sum`: it is on every system
// that can build the kit.
std::map<std::string, std::string> sha256(
    const fs::path& folder,
    const std::vector<std::string>& files);  // throws UsageError

// One digest of many: of the lines "digest  file", which are written to the file `list`.
std::string digest_over(const std::map<std::string, std::string>& digests, const fs::path& list);

}  // namespace kv::grader

#pragma once
// What was handed in: folders and archives side by side, or a list of git repositories.

#include <string>
#include <vector>

#include "grader/program/base/text.h"

namespace kv::grader::classroom {

struct HandedIn {
  std::string name;         // of the folder, or of the archive without its extension
  fs::path place = {};      // empty for a repository
  std::string url = {};     // of a repository
  std::string commit = {};  // or branch; empty: what the repository has checked out
};

// In the order of their names. `path`: a folder with a folder, .zip or .tar.gz for each submission;
// or a file with a line "name url [commit]" for each. Throws UsageError, also when two submissions
// have one name.
std::vector<HandedIn> find_handed_in(const fs::path& path);

// Copies, unpacks or clones it into `folder`, which is new. Returns why that was not possible, as
// one sentence; else nothing. Symbolic links stay links.
std::string fetch(const HandedIn& handed_in, const fs::path& folder);

}  // namespace kv::grader::classroom

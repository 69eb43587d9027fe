#pragma once
// What was handed in: folders and archives side by side, or a list of git repositories; or one of
// them.

#include <string>
#include <vector>

#include "grader/program/student/submission/origin.h"

namespace kv::grader {

struct HandedIn {
  std::string name;         // of the folder, or of the archive without its extension
  fs::path place = {};      // empty for a repository
  std::string url = {};     // of a repository
  std::string commit = {};  // of a repository, or a branch

  Origin origin() const;
};

// In the order of their names. `path`: a folder with a folder, .zip or .tar.gz for each submission;
// or a file with a line "name url [commit]" for each. Throws UsageError, also when two submissions
// have one name.
std::vector<HandedIn> find_handed_in(const fs::path& path);

// What a person names as one submission: a folder, an archive, or with a commit the URL of a
// repository. Throws UsageError: there is none, or it is a file of another kind.
HandedIn one_handed_in(const std::string& place, const std::string& commit);

// Copies, unpacks or clones it into `folder`, which is new. Returns why that was not possible, as
// one sentence; else nothing. Symbolic links stay links.
std::string fetch(const HandedIn& handed_in, const fs::path& folder);

// The same for a reader who changes nothing: a folder stays where it is.
struct Fetched {
  fs::path place;       // of the files
  std::string problem;  // why there are none
};
Fetched fetch_unless_folder(const HandedIn& handed_in, const fs::path& folder);

}  // namespace kv::grader

#pragma once
// The git repository of a handout.

#include <map>
#include <string>
#include <vector>

#include "base/process/process.h"

namespace kv::grader::handout {

// What git tracks in a folder. Throws UsageError: the folder is no repository.
std::vector<std::string> tracked_files(const fs::path& folder);

// handout.json of a folder; empty if there is none.
std::string terms_in(const fs::path& folder);

class Repository {
 public:
  // folder: new, empty, or a handout. Throws UsageError: it has other files, or changes that are
  // not committed.
  explicit Repository(const fs::path& folder);

  // Makes these the files of the repository, and no others. Returns the commit, empty if nothing
  // has changed.
  std::string commit(const std::map<std::string, std::string>& texts,
                     const std::map<std::string, fs::path>& copies,
                     const std::string& message);

 private:
  Outcome git(const std::vector<std::string>& arguments) const;
  std::string git_output(const std::vector<std::string>& arguments) const;  // throws UsageError

  fs::path folder_;
};

}  // namespace kv::grader::handout

#pragma once
// What a change can break, and so which checks it needs: the table is in reach.txt.

#include <set>
#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader {

struct Reach {
  bool has_kit = false;         // the groups that look at the whole kit
  bool has_builds = false;      // those that build it in other ways
  std::set<std::string> labs;   // ids: the groups that look at each lab
  std::set<std::string> tests;  // beginnings of paths: the files of tests in Python
  std::set<std::string> named;  // ids: the files that name one of these labs, too

  bool has_test(const fs::path& file, const fs::path& root) const;
};

// changed: paths in the kit. Throws KitBroken when the table is malformed.
Reach reach_of(const Kit& kit, const std::vector<std::string>& changed);

// The files that differ from those of a commit, and those that no commit has. Throws UsageError.
std::vector<std::string> changed_since(const Kit& kit, const std::string& commit);

}  // namespace kv::grader

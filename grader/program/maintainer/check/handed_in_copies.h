#pragma once
// A folder of submissions for ./lab similar: independent answers, and copies of some of them.

#include <functional>
#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

class HandedInCopies {
 public:
  HandedInCopies(const Kit& kit, const fs::path& folder);  // which is made empty

  const fs::path& folder() const { return folder_; }

  // A tree's files of a lab, "solution" or "starter".
  void add_tree(const std::string& name, const LabSpec& lab, const std::string& tree);

  // The solution's files, those of an alternative in their place, as NAME or "02-counted-pool".
  void add_alternative(const LabSpec& lab, const std::string& alternative, std::string name = "");

  void add_alternatives();  // all of every lab
  void add_known_bugs();    // of every lab, each in the solution

  // Makes NAME.tar.gz of the folder NAME.
  void archive(const std::string& name);

  // Changes each file of `name` that an alternative replaces.
  void change(const std::string& name,
              const LabSpec& lab,
              const std::string& alternative,
              const std::function<std::string(const std::string&)>& disguise);

  void write(const std::string& path, const std::string& content) const;
  std::string read(const std::string& path) const;

 private:
  fs::path alternative_folder(const LabSpec& lab, const std::string& alternative) const;

  const Kit& kit_;
  fs::path folder_;
};

}  // namespace kv::grader

#pragma once
// A folder of submissions for ./lab similar.

#include <string>

#include "grader/program/base/kit/kit.h"

namespace kv::grader {

class HandedInCopies {
 public:
  HandedInCopies(const Kit& kit, const fs::path& folder);  // which is made empty

  const fs::path& folder() const { return folder_; }

  // The solution's files, those of an alternative in their place, as NAME.
  void add_alternative(const LabSpec& lab, const std::string& alternative, const std::string& name);

  void write(const std::string& path, const std::string& content) const;
  std::string read(const std::string& path) const;

 private:
  const Kit& kit_;
  fs::path folder_;
};

}  // namespace kv::grader

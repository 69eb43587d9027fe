#pragma once
// The compiler's warnings in a student's files. A build prints them once, when it compiles the
// file; they are kept for the runs in which the file has not changed.

#include <string>
#include <vector>

#include "base/kit/manifest.h"

namespace kv::grader {

class WarningLog {
 public:
  WarningLog(const fs::path& build_folder, const fs::path& stage, const LabSpec& lab);

  // Before a build. A file whose warnings are not known, as after a build that was interrupted, is
  // marked as changed, so that it is compiled again.
  void prepare() const;

  // After the build: keeps what it printed.
  void take(const std::string& output) const;

  // The warnings in the files as they are now, a line each, the most telling first.
  std::vector<std::string> read() const;

 private:
  bool is_known(const std::string& file) const;
  std::string key(const std::string& file) const;
  fs::path log(const std::string& file) const { return logs_ / (file + ".txt"); }

  fs::path logs_;
  fs::path stage_;
  const LabSpec& lab_;
};

}  // namespace kv::grader

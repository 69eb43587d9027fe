#pragma once
// What is compared: the files of each submission.

#include <map>
#include <string>
#include <vector>

#include "base/kit/kit.h"

namespace kv::grader::similar {

struct Work {
  std::string name;
  std::map<std::string, fs::path> files =
      {};                 // "01-free-queue/compact_free_queue.cpp" -> its place
  std::string note = {};  // why it is not compared, or not as a whole

  std::map<std::string, fs::path> files_of(const LabSpec& lab) const;
};

// The submissions that `folder` names, as for ./lab class, with their files of `labs`. Archives and
// repositories are unpacked in `scratch`. Throws UsageError: fewer than two can be compared.
std::vector<Work> collect_works(const Kit& kit,
                                const std::string& folder,
                                const std::vector<const LabSpec*>& labs,
                                const fs::path& scratch);

}  // namespace kv::grader::similar

#include "grader/program/submission/flags.h"

#include "grader/program/submission/source_flags.h"
#include "grader/program/submission/symbol_flags.h"

namespace kv::grader {

std::vector<std::string> flags_of(const Submission& submission,
                                  const LabSpec& lab,
                                  const fs::path& objects_folder) {
  std::vector<std::string> flags = symbol_flags(objects_folder);
  for (const auto& names : {lab.files, lab.headers}) {
    for (const std::string& name : names) {
      const fs::path file = submission.stage / lab.folder / name;
      if (!fs::is_regular_file(file)) continue;
      const std::vector<std::string> more = source_flags(read_file(file), name);
      flags.insert(flags.end(), more.begin(), more.end());
    }
  }
  return flags;
}

}  // namespace kv::grader

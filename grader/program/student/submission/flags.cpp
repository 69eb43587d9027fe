#include "grader/program/student/submission/flags.h"

#include "grader/program/student/submission/source_flags.h"
#include "grader/program/student/submission/symbol_flags.h"

namespace kv::grader {

std::vector<std::string> flags_of(const Submission& submission,
                                  const LabSpec& lab,
                                  const fs::path& objects_folder) {
  std::vector<std::string> flags = symbol_flags(objects_folder);
  const auto add = [&](const std::string& name, const auto& flags_in) {
    const fs::path file = submission.stage / lab.folder / name;
    if (!fs::is_regular_file(file)) return;
    const std::vector<std::string> more = flags_in(read_file(file), name);
    flags.insert(flags.end(), more.begin(), more.end());
  };
  for (const std::string& name : lab.files) add(name, source_flags);
  for (const std::string& name : lab.headers) {
    add(name, source_flags);
    add(name, header_flags);
  }
  return flags;
}

}  // namespace kv::grader

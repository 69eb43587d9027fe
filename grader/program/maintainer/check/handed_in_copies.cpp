#include "grader/program/maintainer/check/handed_in_copies.h"

namespace kv::grader {

HandedInCopies::HandedInCopies(const Kit& kit, const fs::path& folder)
    : kit_(kit), folder_(folder) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

void HandedInCopies::add_alternative(const LabSpec& lab,
                                     const std::string& alternative,
                                     const std::string& name) {
  const std::string folder = name + "/" + lab.folder + "/";
  for (const std::string& file : lab.files) write(folder + file, kit_.solution_text(lab, file));
  const fs::path files = kit_.case_folder(lab) / "alternatives" / alternative;
  for (const auto& entry : fs::directory_iterator(files))
    write(folder + entry.path().filename().string(), read_file(entry.path()));
}

void HandedInCopies::write(const std::string& path, const std::string& content) const {
  write_file(folder_ / path, content);
}

std::string HandedInCopies::read(const std::string& path) const {
  return read_file(folder_ / path);
}

}  // namespace kv::grader

#include "grader/program/maintainer/check/handed_in_copies.h"

#include "grader/program/base/process/process.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {

HandedInCopies::HandedInCopies(const Kit& kit, const fs::path& folder)
    : kit_(kit), folder_(folder) {
  fs::remove_all(folder_);
  fs::create_directories(folder_);
}

void HandedInCopies::add_tree(const std::string& name,
                              const LabSpec& lab,
                              const std::string& tree) {
  for (const std::string& file : lab.files)
    write(name + "/" + lab.folder + "/" + file, read_file(kit_.root / tree / lab.folder / file));
}

void HandedInCopies::add_alternative(const LabSpec& lab,
                                     const std::string& alternative,
                                     std::string name) {
  if (name.empty()) name = lab.id + "-" + alternative;
  add_tree(name, lab, "solution");
  for (const auto& entry : fs::directory_iterator(alternative_folder(lab, alternative))) {
    write(name + "/" + lab.folder + "/" + entry.path().filename().string(),
          read_file(entry.path()));
  }
}

void HandedInCopies::add_alternatives() {
  for (const LabSpec& lab : kit_.manifest.labs) {
    for (const auto& entry : fs::directory_iterator(kit_.case_folder(lab) / "alternatives"))
      add_alternative(lab, entry.path().filename().string());
  }
}

void HandedInCopies::add_known_bugs() {
  for (const LabSpec& lab : kit_.manifest.labs) {
    for (const Variation& bug : load_variations(kit_, lab, "known_bugs")) {
      const std::string name = lab.id + "-bug-" + bug.name;
      add_tree(name, lab, "solution");
      write(name + "/" + lab.folder + "/" + bug.file, varied_text(kit_, lab, bug));
    }
  }
}

void HandedInCopies::archive(const std::string& name) {
  const fs::path folder = folder_ / name;
  run({.argv = {"cmake", "-E", "chdir", folder.string(), "cmake", "-E", "tar", "czf",
                folder.string() + ".tar.gz", "."}});
  fs::remove_all(folder);
}

void HandedInCopies::change(const std::string& name,
                            const LabSpec& lab,
                            const std::string& alternative,
                            const std::function<std::string(const std::string&)>& disguise) {
  for (const auto& entry : fs::directory_iterator(alternative_folder(lab, alternative))) {
    const std::string path = name + "/" + lab.folder + "/" + entry.path().filename().string();
    write(path, disguise(read(path)));
  }
}

void HandedInCopies::write(const std::string& path, const std::string& content) const {
  write_file(folder_ / path, content);
}

std::string HandedInCopies::read(const std::string& path) const {
  return read_file(folder_ / path);
}

fs::path HandedInCopies::alternative_folder(const LabSpec& lab,
                                            const std::string& alternative) const {
  return kit_.case_folder(lab) / "alternatives" / alternative;
}

}  // namespace kv::grader

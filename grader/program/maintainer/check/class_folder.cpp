#include "grader/program/maintainer/check/class_folder.h"

#include "grader/program/base/process/process.h"

namespace kv::grader {

ClassFolder::ClassFolder(const fs::path& folder)
    : folder_(folder), scratch_(folder.string() + "-scratch") {
  for (const fs::path& each : {folder_, scratch_}) fs::remove_all(each);
  fs::create_directories(folder_);
}

void ClassFolder::add_lab(const std::string& name, const LabSpec& lab, const fs::path& tree) {
  fs::create_directories(folder_ / name);
  fs::copy(tree / lab.folder, folder_ / name / lab.folder);
}

void ClassFolder::put_on_top(const std::string& name,
                             const LabSpec& lab,
                             const std::string& file,
                             const std::string& text) {
  const fs::path path = file_of(name, lab, file);
  write_file(path, text + "\n" + read_file(path));
}

void ClassFolder::add_flat_archive(const std::string& name,
                                   const LabSpec& lab,
                                   const fs::path& tree) {
  archive(name + ".tar.gz", tree / lab.folder, "gnutar");
}

void ClassFolder::add_wrapped_zip(const std::string& name,
                                  const LabSpec& lab,
                                  const Kit& kit,
                                  const fs::path& starter) {
  const fs::path top = scratch_ / name / "pagedlab-main";
  for (const char* tree : {"starter", "solution"}) fs::create_directories(top / tree);
  fs::copy(starter / lab.folder, top / "starter" / lab.folder);
  fs::copy(kit.root / "solution" / lab.folder, top / "solution" / lab.folder);
  archive(name + ".zip", scratch_ / name, "zip");
}

void ClassFolder::add_file(const std::string& file, const std::string& content) {
  write_file(folder_ / file, content);
}

void ClassFolder::add_link(const std::string& name,
                           const LabSpec& lab,
                           const std::string& file,
                           const std::string& other) {
  fs::create_directories(folder_ / name / lab.folder);
  fs::create_symlink(file_of(other, lab, file), file_of(name, lab, file));
}

void ClassFolder::archive(const std::string& file,
                          const fs::path& content,
                          const std::string& format) {
  run({.argv = {"cmake", "-E", "chdir", content.string(), "cmake", "-E", "tar",
                format == "zip" ? "cf" : "czf", (folder_ / file).string(), "--format=" + format,
                "."}});
}

}  // namespace kv::grader

#include "base/builds/built_files.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kv::grader {
namespace {

std::optional<std::string> content_of(const fs::path& file) {
  if (!fs::exists(file)) return std::nullopt;
  return read_file(file);
}

// lab01_tests and the like, but not lab01_reference.
bool has_student_files(const std::string& program, const std::string& lab) {
  constexpr std::array kKinds = {"_tests", "_predict", "_costs", "_student_bench", "_replay"};
  return program.starts_with("lab" + lab) &&
         std::ranges::any_of(kKinds, [&](const char* kind) { return program.ends_with(kind); });
}

// Objects of targets that see no file of the student.
bool is_of_kit(const std::string& path) {
  constexpr std::array kTargets = {"_solution.dir/", "_solution_side.dir/", "_reference.dir/",
                                   "_test_objects.dir/"};
  const bool is_own = path.find("_own_test_objects.dir/") != std::string::npos;
  return !is_own && std::ranges::any_of(kTargets, [&](const char* target) {
    return path.find(target) != std::string::npos;
  });
}

// Why: Ninja runs CMake when a file that CMake reads is newer than what it writes, and never ends
// when that file is from the future.
void forget_future_dates(const fs::path& folder) {
  if (!fs::exists(folder)) return;
  const auto now = fs::file_time_type::clock::now();
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.last_write_time() > now) {
      fs::last_write_time(entry.path(), now);
    }
  }
}

}  // namespace

BuiltFiles::BuiltFiles(const Manifest& manifest,
                       const fs::path& stage,
                       const fs::path& folder,
                       bool together)
    : stage_(stage), folder_(folder), copies_(folder / "built-from"), together_(together) {
  for (const LabSpec& lab : manifest.labs) {
    for (const std::string& name : lab.files) {
      files_.push_back({&lab, fs::path(lab.folder) / name, false});
    }
    for (const std::string& name : lab.headers) {
      files_.push_back({&lab, fs::path(lab.folder) / name, true});
    }
  }
}

void BuiltFiles::remove_outdated() const {
  if (!fs::exists(folder_)) return;
  forget_future_dates(folder_);
  forget_future_dates(stage_);
  for (const File& file : files_) {
    if (content_of(stage_ / file.path) != content_of(copies_ / file.path)) remove_made_of(file);
  }
}

void BuiltFiles::begin() const {
  fs::remove_all(copies_);
}

void BuiltFiles::end() const {
  for (const File& file : files_) {
    if (const auto content = content_of(stage_ / file.path)) {
      write_file(copies_ / file.path, *content);
    }
  }
}

std::string BuiltFiles::decides_configuration() const {
  std::string text;
  for (const File& file : files_) {
    const auto content = content_of(stage_ / file.path);
    if (!content) continue;
    text += file.path.string() + "\n" + (file.is_header ? *content : "");
  }
  return text;
}

// For a header, removes all objects in lab01_student.dir and the like: each may include it.
void BuiltFiles::remove_made_of(const File& file) const {
  std::vector<fs::path> made;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "CMakeFiles")) {
    const std::string path = entry.path().lexically_relative(folder_).string();
    if (!path.ends_with(".o") || is_of_kit(path)) continue;
    const bool is_of_lab = path.starts_with("CMakeFiles/lab" + file.lab->id + "_");
    const bool is_of_file = path.ends_with("/" + file.path.string() + ".o");
    if (file.is_header ? is_of_lab : is_of_file) made.push_back(entry.path());
  }
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string program = entry.path().filename().string();
    if (has_student_files(program, together_ ? "" : file.lab->id)) made.push_back(entry.path());
  }
  for (const fs::path& path : made) fs::remove(path);
}

}  // namespace kv::grader

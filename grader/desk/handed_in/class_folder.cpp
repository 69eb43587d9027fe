#include "grader/desk/handed_in/class_folder.h"

#include <algorithm>
#include <optional>
#include <regex>

#include "grader/desk/handed_in/archive.h"
#include "grader/desk/handed_in/file_names.h"

namespace kv::grader {
namespace {

// A file by itself: whose it is, and its name without what was added to it.
struct BareFile {
  std::string owner;  // empty: its name says nothing of that
  std::string name;
};

// "lovelace_12345_67890_block_pool-1.cpp" as Canvas names it, or a known name after the owner's.
std::optional<BareFile> bare_file(const std::string& file, const KnownFiles& of_labs) {
  static const std::regex by_canvas("(.*_\\d+)_\\d+_(.+)");
  static const std::regex numbered("(.*?)-\\d+(\\.\\w+)");
  std::smatch found;
  if (std::regex_match(file, found, by_canvas)) {
    const std::string name = known_name(of_labs, found[2]);
    const std::string plain = std::regex_replace(found[2].str(), numbered, "$1$2");
    return BareFile{found[1], name.empty() ? plain : name};
  }
  const NameWithFront meant = known_name_at_end(of_labs, file);
  if (meant.name.empty()) return std::nullopt;
  return BareFile{meant.front, meant.name};
}

// The entries of one folder, as they are found.
class ClassFolder {
 public:
  ClassFolder(const fs::path& folder, const Manifest& manifest)
      : folder_(folder), of_labs_(known_files(manifest)) {}

  void add(const fs::directory_entry& entry);
  std::vector<HandedIn> submissions() &&;

 private:
  void add_file(const fs::path& place);
  void add_problem(const fs::path& place, const std::string& problem) {
    found_.push_back({.name = place.filename().string(), .place = place, .problem = problem});
  }

  fs::path folder_;
  KnownFiles of_labs_;
  std::vector<HandedIn> found_ = {};
  std::map<std::string, HandedIn> bare_ = {};  // by owner
};

void ClassFolder::add(const fs::directory_entry& entry) {
  const std::string file = entry.path().filename().string();
  std::error_code error;
  if (is_of_the_system(file)) return;
  if (entry.is_directory(error)) {
    found_.push_back({.name = file, .place = entry.path()});
  } else if (!entry.is_regular_file(error)) {
    add_problem(entry.path(),
                "it is a pipe, a device or a link to nothing; ask for the work again");
  } else if (without_archive_extension(file) != file) {
    found_.push_back({.name = without_archive_extension(file), .place = entry.path()});
  } else {
    add_file(entry.path());
  }
}

void ClassFolder::add_file(const fs::path& place) {
  const auto bare = bare_file(place.filename().string(), of_labs_);
  if (!bare) {
    return add_problem(place,
                       "it is no folder, no archive that is known (.zip, .tar.gz, .7z, ...) and no "
                       "file of a lab; ask for one of these");
  }
  const std::string owner = bare->owner.empty()
                                ? fs::absolute(folder_ / "").parent_path().filename().string()
                                : bare->owner;
  HandedIn& work = bare_.try_emplace(owner, HandedIn{.name = owner, .place = place}).first->second;
  const auto [other, is_new] = work.files.emplace(bare->name, place);
  if (is_new) return;
  work.problem = "two files are " + bare->name + ": " + other->second.filename().string() +
                 " and " + place.filename().string() + "; take away all but one";
}

std::vector<HandedIn> ClassFolder::submissions() && {
  for (auto& [owner, work] : bare_) {
    const bool has_none = std::ranges::none_of(
        work.files, [this](const auto& file) { return of_labs_.contains(file.first); });
    if (has_none && work.problem.empty()) {
      work.problem = "\"" + work.files.begin()->second.filename().string() +
                     "\" is no file of a lab; ask for the files that a lab's README names";
    }
    found_.push_back(std::move(work));
  }
  return std::move(found_);
}

// Why not refused: what one person handed in twice must not keep the others from being graded.
std::vector<HandedIn> one_of_each_name(std::vector<HandedIn> found) {
  std::ranges::stable_sort(found, {}, &HandedIn::name);
  std::vector<HandedIn> each;
  for (HandedIn& work : found) {
    if (each.empty() || each.back().name != work.name) {
      each.push_back(std::move(work));
      continue;
    }
    each.back().problem = "two submissions are called \"" + work.name +
                          "\": " + each.back().place.filename().string() + " and " +
                          work.place.filename().string() + "; take away all but one";
  }
  return each;
}

}  // namespace

std::vector<HandedIn> in_class_folder(const fs::path& folder, const Manifest& manifest) {
  ClassFolder entries(folder, manifest);
  std::vector<fs::directory_entry> in_order(fs::directory_iterator(folder), {});
  std::ranges::sort(in_order);
  for (const fs::directory_entry& entry : in_order) entries.add(entry);
  return one_of_each_name(std::move(entries).submissions());
}

}  // namespace kv::grader

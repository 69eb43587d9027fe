#include <algorithm>
#include <array>
#include <tuple>

#include "grader/desk/handed_in/handed_in.h"

namespace kv::grader {
namespace {

struct Candidate {
  std::string target;  // "01-free-queue/compact_free_queue.cpp"
  fs::path path;       // in the submission
  bool is_by_name;     // the folder of the lab is missing
  bool is_in_starter;
  std::ptrdiff_t depth;

  // The smallest is taken.
  std::tuple<bool, bool, std::ptrdiff_t> order() const {
    return {is_by_name, !is_in_starter, depth};
  }
};

bool has_part(const fs::path& path, std::string_view name) {
  return std::ranges::any_of(path, [&](const fs::path& part) { return part == name; });
}

bool is_of_the_kit(const fs::path& path) {
  constexpr std::array<std::string_view, 7> kFolders = {"solution", "labs",  "grader", "reference",
                                                        "simt",     "build", ".git"};
  return std::ranges::any_of(kFolders, [&](std::string_view name) { return has_part(path, name); });
}

bool is_source(const fs::path& path) {
  constexpr std::array<std::string_view, 5> kExtensions = {".cpp", ".cu", ".cuh", ".h", ".hpp"};
  return std::ranges::count(kExtensions, path.extension().string()) > 0;
}

// The places in a tree that a file may mean; with the lab's folder in its path there is one.
std::vector<Candidate> candidates_of(const KnownFiles& known, const fs::path& path) {
  std::vector<Candidate> found;
  const auto [first, last] = known.equal_range(path.filename().string());
  const bool is_in_starter = has_part(path, "starter");
  const auto depth = std::distance(path.begin(), path.end());
  for (auto each = first; each != last; ++each) {
    const bool is_by_name = !("/" + path.generic_string()).ends_with("/" + each->second);
    found.push_back({each->second, path, is_by_name, is_in_starter, depth});
  }
  const auto exact = std::ranges::find(found, false, &Candidate::is_by_name);
  if (exact != found.end()) return {*exact};
  return found.size() > 1 ? std::vector<Candidate>{} : found;
}

std::vector<fs::path> regular_files(const fs::path& folder, std::vector<std::string>& notes) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path path = entry->path().lexically_relative(folder);
    if (is_of_the_kit(path)) {
      entry.disable_recursion_pending();
      continue;
    }
    if (entry->is_symlink()) {
      notes.push_back("a symbolic link, which is not followed: " + path.string());
    } else if (entry->is_regular_file()) {
      files.push_back(path);
    }
  }
  if (error) notes.push_back("not all files can be read: " + error.message());
  std::ranges::sort(files);
  return files;
}

}  // namespace

KnownFiles known_files(const Manifest& manifest) {
  KnownFiles known;
  for (const LabSpec& lab : manifest.labs) {
    for (const auto& names : {lab.files, lab.headers}) {
      for (const std::string& name : names)
        known.emplace(fs::path(name).filename().string(), lab.folder + "/" + name);
    }
  }
  return known;
}

MappedTree map_files(const Manifest& manifest, const fs::path& folder) {
  MappedTree mapped;
  const auto known = known_files(manifest);
  std::map<std::string, std::vector<Candidate>> by_target;
  for (const fs::path& path : regular_files(folder, mapped.notes)) {
    const std::vector<Candidate> candidates = candidates_of(known, path);
    for (const Candidate& each : candidates) by_target[each.target].push_back(each);
    if (candidates.empty() && is_source(path))
      mapped.notes.push_back("not a file of a lab: " + path.string());
  }
  for (auto& [target, candidates] : by_target) {
    std::ranges::stable_sort(candidates, {}, &Candidate::order);
    if (candidates.size() > 1 && candidates[0].order() == candidates[1].order()) {
      mapped.notes.push_back("two files may be " + target + ": " + candidates[0].path.string() +
                             " and " + candidates[1].path.string());
      continue;
    }
    mapped.files[target] = folder / candidates.front().path;
  }
  return mapped;
}

void write_tree(const MappedTree& mapped, const fs::path& tree) {
  fs::remove_all(tree);
  for (const auto& [target, path] : mapped.files) {
    fs::create_directories((tree / target).parent_path());
    fs::copy_file(path, tree / target);
  }
}

}  // namespace kv::grader

#include <algorithm>
#include <set>
#include <tuple>

#include "base/cpp_text/functions.h"
#include "base/text/utf16.h"
#include "grader/desk/handed_in/archive.h"
#include "grader/desk/handed_in/file_names.h"
#include "grader/desk/handed_in/handed_in.h"
#include "grader/desk/handed_in/source_text.h"

namespace kv::grader {
namespace {

// A file that may be meant.
struct Candidate {
  fs::path path;      // in the submission
  bool is_untouched;  // all its steps are stubs, or it is empty
  bool is_renamed;
  bool is_by_name;  // the folder of the lab is missing
  bool is_in_starter;
  std::ptrdiff_t depth;
  bool is_utf16;     // in the submission
  std::string text;  // in UTF-8

  // The smallest is taken.
  auto order() const {
    return std::tuple(is_untouched, is_renamed, is_by_name, !is_in_starter, depth);
  }
};

bool has_part(const fs::path& path, std::string_view name) {
  return std::ranges::any_of(path, [&](const fs::path& part) { return part == name; });
}

bool is_left_out(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == ".git" || is_of_the_system(name);
}

std::vector<fs::path> regular_files(const fs::path& folder, std::vector<std::string>& notes) {
  std::vector<fs::path> files;
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(folder, error);
       entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path path = entry->path().lexically_relative(folder);
    if (is_left_out(path)) {
      entry.disable_recursion_pending();
      continue;
    }
    if (entry->is_symlink()) {
      if (is_in_kit(path)) continue;
      notes.push_back("a symbolic link, which is not followed: " + path.string());
    } else if (entry->is_regular_file()) {
      files.push_back(path);
    }
  }
  if (error) notes.push_back("not all files can be read: " + error.message());
  std::ranges::sort(files);
  return files;
}

// Notes of one kind are one: "not a file of a lab: main.cpp, try.cpp".
std::vector<std::string> one_of_each_kind(const std::vector<std::string>& notes) {
  constexpr std::size_t kMostNamed = 5;
  std::vector<std::string> kinds;
  std::map<std::string, std::vector<std::string>> by_kind;
  for (const std::string& note : notes) {
    const auto [kind, what] = divided(note, ": ");
    if (!by_kind.contains(kind)) kinds.push_back(kind);
    by_kind[kind].push_back(what);
  }
  for (std::string& kind : kinds) {
    std::vector<std::string>& those = by_kind[kind];
    const std::size_t num_more = those.size() - std::min(those.size(), kMostNamed);
    those.resize(those.size() - num_more);
    if (!those.front().empty()) kind += ": " + join(those, ", ");
    if (num_more > 0) kind += " and " + std::to_string(num_more) + " more";
  }
  return kinds;
}

class Mapping {
 public:
  Mapping(const Manifest& manifest, const fs::path& folder)
      : manifest_(manifest), folder_(folder), known_(known_files(manifest)) {}

  MappedTree map();

 private:
  std::vector<std::string> targets_of(const fs::path& path) const;
  std::vector<std::string> places_of(const fs::path& path) const;
  void add(const fs::path& path);
  void choose(const std::string& target, std::vector<Candidate>& candidates);
  void note_choice(const std::string& target, const std::vector<Candidate>& candidates);
  void look_for_steps_in(const fs::path& path);
  void look_for_missing_labs();
  void look_for_work_in(const fs::path& path);
  bool has_file_of(const LabSpec& lab) const;
  bool has_work_on(const LabSpec& lab) const;
  const LabSpec& lab_of(const std::string& target) const;

  const Manifest& manifest_;
  fs::path folder_;
  KnownFiles known_;
  MappedTree mapped_ = {};
  std::map<std::string, std::vector<Candidate>> by_target_ = {};
  std::vector<fs::path> others_ = {};   // sources of no lab
  std::set<std::string> written_ = {};  // labs of which a file is no stub
  std::vector<fs::path> in_kit_ = {};
  std::vector<fs::path> closed_archives_ = {};  // that could not be unpacked
};

const LabSpec& Mapping::lab_of(const std::string& target) const {
  return *std::ranges::find_if(
      manifest_.labs, [&](const LabSpec& lab) { return target.starts_with(lab.folder + "/"); });
}

// The places in a tree that a file may mean; with the lab's folder in its path there is one. Why a
// step of it after a name with something in front: test_block_pool.cpp is a file of its own.
std::vector<std::string> Mapping::targets_of(const fs::path& path) const {
  const NameWithFront meant = known_name_at_end(known_, path.filename().string());
  std::vector<std::string> targets = places_of(path.parent_path() / meant.name);
  if (meant.front.empty() || targets.empty()) return targets;
  const std::string text = utf8_of(text_in(folder_ / path));
  return has_step_of(lab_of(targets.front()), targets.front(), text) ? targets
                                                                     : std::vector<std::string>{};
}

std::vector<std::string> Mapping::places_of(const fs::path& path) const {
  const std::string name = path.filename().string();
  const std::string meant = "/" + path.generic_string();
  std::vector<std::string> targets;
  const auto [first, last] = known_.equal_range(name);
  for (auto each = first; each != last; ++each) {
    if (meant.ends_with("/" + each->second)) return {each->second};
    targets.push_back(each->second);
  }
  return targets.size() > 1 ? std::vector<std::string>{} : targets;
}

void Mapping::add(const fs::path& path) {
  const std::vector<std::string> targets = targets_of(path);
  if (targets.empty() && is_source(path)) others_.push_back(path);
  if (targets.empty()) return;
  const std::string& target = targets.front();
  const std::string handed_in = text_in(folder_ / path);
  const std::string text = utf8_of(handed_in);
  by_target_[target].push_back(
      {.path = path,
       .is_untouched = is_untouched(lab_of(target), target, text),
       .is_renamed = !target.ends_with("/" + path.filename().string()),
       .is_by_name = !("/" + path.parent_path().generic_string())
                          .ends_with("/" + fs::path(target).parent_path().generic_string()),
       .is_in_starter = has_part(path, "starter"),
       .depth = std::distance(path.begin(), path.end()),
       .is_utf16 = is_utf16(handed_in),
       .text = text});
}

void Mapping::choose(const std::string& target, std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, {}, &Candidate::order);
  const Candidate& first = candidates.front();
  const auto rival =
      std::find_if(candidates.begin() + 1, candidates.end(), [&](const Candidate& each) {
        return each.order() == first.order() && each.text != first.text;
      });
  if (rival != candidates.end()) {
    mapped_.unclear[lab_of(target).id] = "two files may be " + target + ": " + first.path.string() +
                                         " and " + rival->path.string() + "; take one away";
    return;
  }
  if (const std::string why = source_objection(folder_ / first.path, first.text); !why.empty()) {
    mapped_.unclear[lab_of(target).id] = first.path.string() + " " + why;
    return;
  }
  mapped_.files[target] = folder_ / first.path;
  if (!first.is_untouched) written_.insert(lab_of(target).id);
  note_choice(target, candidates);
}

// What a reader of the score has to know: another file could have been meant.
void Mapping::note_choice(const std::string& target, const std::vector<Candidate>& candidates) {
  const Candidate& first = candidates.front();
  std::vector<std::string> others;
  for (const Candidate& each : candidates)
    if (each.text != first.text && !each.is_untouched) others.push_back(each.path.string());
  const bool is_beside_stubs =
      std::ranges::any_of(candidates, &Candidate::is_untouched) && !first.is_untouched;
  if (first.is_renamed || is_beside_stubs || !others.empty())
    mapped_.notes.push_back("taken as " + target + ": " + first.path.string() +
                            (others.empty() ? "" : ", and not " + join(others, ", ")));
  if (first.is_utf16) mapped_.notes.push_back("is saved as UTF-16: " + first.path.string());
}

// Why: a file of another name may be the one that is not there, and a 0 would be for its name.
void Mapping::look_for_steps_in(const fs::path& path) {
  mapped_.notes.push_back("not a file of a lab: " + path.string());
  const std::string text = utf8_of(text_in(folder_ / path));
  for (const LabSpec& lab : manifest_.labs) {
    if (text.find("\"" + lab.folder + "/") == text.npos) continue;
    for (const StepSpec& step : lab.steps) {
      const std::string target = lab.folder + "/" + step.file;
      if (mapped_.files.contains(target) || !find_function(text, step.name)) continue;
      mapped_.unclear[lab.id] = path.string() + " has " + step.heading() + ", and there is no " +
                                step.file + "; if it is that file, give it this name";
      break;
    }
  }
}

bool Mapping::has_file_of(const LabSpec& lab) const {
  return std::ranges::any_of(
      mapped_.files, [&](const auto& file) { return file.first.starts_with(lab.folder + "/"); });
}

// Or what is said of the lab already.
bool Mapping::has_work_on(const LabSpec& lab) const {
  return written_.contains(lab.id) || mapped_.unclear.contains(lab.id);
}

// A file in a folder of the kit. Where stubs were handed in, too, it is a whole kit, and has the
// kit's own solutions in some folders.
void Mapping::look_for_work_in(const fs::path& path) {
  const std::vector<std::string> targets = targets_of(path);
  if (targets.empty()) return;
  const LabSpec& lab = lab_of(targets.front());
  const bool is_contract =
      std::ranges::count(lab.files, fs::path(targets.front()).filename().string()) == 0;
  const bool is_own =
      has_part(path, "solution") || has_part(path, "grader") || has_part(path, "build");
  if (has_work_on(lab) || is_contract || (is_own && has_file_of(lab))) return;
  if (is_untouched(lab, targets.front(), utf8_of(text_in(folder_ / path)))) return;
  mapped_.unclear[lab.id] = path.string() +
                            " is in a folder that has the name of one of the kit's, which are "
                            "left out; if it is the student's work, rename that folder";
}

// Why: where no work on a lab was found, it may be in what was not looked at, and a 0 would be for
// its place.
void Mapping::look_for_missing_labs() {
  for (const fs::path& path : in_kit_) look_for_work_in(path);
  if (closed_archives_.empty()) return;
  for (const LabSpec& lab : manifest_.labs) {
    if (has_work_on(lab) || has_file_of(lab)) continue;
    mapped_.unclear[lab.id] = "its files may be in " + closed_archives_.front().string() +
                              ", which cannot be unpacked: it is damaged, or has a password";
  }
}

MappedTree Mapping::map() {
  for (const fs::path& path : regular_files(folder_, mapped_.notes)) {
    if (is_in_kit(path)) {
      in_kit_.push_back(path);
      continue;
    }
    if (without_archive_extension(path.string()) != path.string()) {
      mapped_.notes.push_back("an archive inside, which cannot be unpacked: " + path.string());
      closed_archives_.push_back(path);
    }
    add(path);
  }
  for (auto& [target, candidates] : by_target_) choose(target, candidates);
  for (const fs::path& path : others_) look_for_steps_in(path);
  look_for_missing_labs();
  mapped_.notes = one_of_each_kind(mapped_.notes);
  return std::move(mapped_);
}

}  // namespace

MappedTree map_files(const Manifest& manifest, const fs::path& folder) {
  return Mapping(manifest, folder).map();
}

void write_tree(const MappedTree& mapped, const fs::path& tree) {
  fs::remove_all(tree);
  for (const auto& [target, path] : mapped.files)
    write_file(tree / target, utf8_of(read_file(path)));
}

}  // namespace kv::grader

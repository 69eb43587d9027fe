#include "grader/classroom/similar/work.h"

#include <algorithm>
#include <fstream>

#include "base/process/parallel.h"
#include "base/text/errors.h"
#include "grader/desk/handed_in/handed_in.h"

namespace kv::grader::similar {
namespace {

// Why: no answer is a tenth as long, and all texts are in memory at once.
constexpr std::size_t kMaxFileBytes = 256 * 1024;

void add_note(Work& work, const std::string& note) {
  work.note += (work.note.empty() ? "" : "; ") + note;
}

// Why a file is not compared; empty: it is.
std::string problem_of(const fs::path& file) {
  if (!std::ifstream(file)) return " cannot be read";
  return fs::file_size(file) > kMaxFileBytes ? " is larger than 256 KiB and is not compared" : "";
}

bool is_of(const LabSpec& lab, const std::string& path) {
  return path.starts_with(lab.folder + "/");
}

bool is_of_any(const std::vector<const LabSpec*>& labs, const std::string& path) {
  return std::ranges::any_of(labs, [&](const LabSpec* lab) { return is_of(*lab, path); });
}

void take_files(const Kit& kit,
                const fs::path& place,
                const std::vector<const LabSpec*>& labs,
                Work& work) {
  const MappedTree mapped = map_files(kit.manifest, place);
  for (const std::string& note : mapped.notes) add_note(work, note);
  for (const auto& [path, file] : mapped.files) {
    if (!is_of_any(labs, path)) continue;
    const std::string problem = problem_of(file);
    if (problem.empty()) {
      work.files[path] = file;
    } else {
      add_note(work, path + problem);
    }
  }
  if (work.files.empty()) add_note(work, "holds no file of the labs that are compared");
}

void refuse_fewer_than_two(const std::vector<Work>& works, const std::string& folder) {
  const auto has_files = [](const Work& work) { return !work.files.empty(); };
  const auto num_works = std::ranges::count_if(works, has_files);
  if (num_works > 1) return;
  const auto bad = std::ranges::find_if_not(works, has_files);
  throw UsageError("\"" + folder + "\" has " +
                   (num_works == 0 ? "no submission" : "one submission only") +
                   " with files of the labs, and two are needed to compare" +
                   (bad == works.end() ? "" : "; " + bad->name + ": " + bad->note));
}

}  // namespace

std::map<std::string, fs::path> Work::files_of(const LabSpec& lab) const {
  std::map<std::string, fs::path> own;
  for (const auto& [path, file] : files) {
    if (is_of(lab, path)) own[path] = file;
  }
  return own;
}

std::vector<Work> collect_works(const Kit& kit,
                                const std::string& folder,
                                const std::vector<const LabSpec*>& labs,
                                const fs::path& scratch) {
  const std::vector<HandedIn> handed_in = find_handed_in(folder, kit.manifest);
  std::vector<Work> works(handed_in.size());
  in_parallel(handed_in.size(), [&](std::size_t i) {
    works[i].name = handed_in[i].name;
    const Fetched fetched = fetch_unless_folder(handed_in[i], scratch / works[i].name);
    works[i].note = fetched.problem;
    if (fetched.problem.empty()) take_files(kit, fetched.place, labs, works[i]);
  });
  refuse_fewer_than_two(works, folder);
  return works;
}

}  // namespace kv::grader::similar

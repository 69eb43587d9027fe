#include "grader/desk/handed_in/archive.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <set>

#include "base/process/process.h"
#include "grader/desk/handed_in/file_names.h"

namespace kv::grader {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{256} << 20;  // size of all files of an archive
constexpr double kUnpackSeconds = 30;

constexpr std::array<std::string_view, 11> kArchiveExtensions = {
    ".zip", ".tar.gz",  ".tgz", ".tar.bz2", ".tbz2", ".tar.xz",
    ".txz", ".tar.zst", ".tar", ".7z",      ".rar"};

// Under these rules nothing is written outside of `folder`, whatever names an archive has.
Outcome run_tar(const std::string& action, const fs::path& archive, const fs::path& folder) {
  FileAccess access{.readable = system_folders(), .writable = {folder}};
  access.readable.push_back(archive);
  return run({.argv = {"cmake", "-E", "chdir", folder.string(), "cmake", "-E", "tar", action,
                       archive.string()},
              .environment = {{"LC_ALL", "C.UTF-8"}},
              .limits = Limits{.cpu_seconds = kUnpackSeconds, .file_bytes = kMaxBytes},
              .access = access});
}

// The first complaint of CMake: "Unrecognized archive format"
std::string complaint_of(const Outcome& outcome) {
  if (outcome.timed_out) return "it takes more than 30 seconds";
  std::smatch found;
  const std::string text = printable(outcome.output);
  static const std::regex complaint(
      "(?:CMake Error: (?:Problem with [^:]*: )?|cmake -E tar: error: )(.+)");
  if (!std::regex_search(text, found, complaint)) return "it is damaged";
  const bool has_password = found[1].str().starts_with("Passphrase");
  return has_password ? "it has a password" : found[1].str();
}

// Why not the exit code alone: CMake writes an empty file for what has a password, and gives 0.
bool has_complaint(const Outcome& outcome) {
  return !outcome.ok() || outcome.output.find("cmake -E tar: error: ") != std::string::npos;
}

// A line of the list: "-rw-r--r--  0 root root  3 28 Nov 2026 a/x.cpp".
struct Entry {
  char kind;
  std::size_t bytes;
  std::string path;
};

std::optional<Entry> entry_in(const std::string& line) {
  static const std::regex form(
      "([-a-z])[-a-zA-Z]{9}.*?\\s(\\d{1,12})\\s+\\d{1,2} \\w{3}\\s+(?:\\d\\d:\\d\\d|\\d{4}) (.*)");
  static const std::regex device("([bc])[-a-zA-Z]{9}.*\\d+,\\d+\\s.*?(\\S+)");
  std::smatch found;
  if (std::regex_match(line, found, device)) return Entry{line[0], 0, found[2]};
  if (!std::regex_match(line, found, form)) return std::nullopt;
  return Entry{line[0], std::stoull(found[2]), found[3]};
}

bool leads_out(const fs::path& path) {
  return path.is_absolute() || std::ranges::count(path, fs::path("..")) > 0;
}

// "a/b.cpp -> ../c.cpp" or "a/b.cpp link to c.cpp": the place of the link, and what it leads to.
// Why the last of these words: a name may have them, too, and all of the place is looked at.
std::pair<std::string, std::string> place_and_target(const Entry& entry) {
  const std::string words = entry.kind == 'l' ? " -> " : entry.kind == 'h' ? " link to " : "";
  const std::size_t at = words.empty() ? entry.path.npos : entry.path.rfind(words);
  if (at == entry.path.npos) return {entry.path, ""};
  return {entry.path.substr(0, at), entry.path.substr(at + words.size())};
}

// Why a submission has no such entry; empty: it is a file, a folder or a link. Symbolic links can
// lead anywhere, because nothing follows them.
std::string objection_to(const Entry& entry, std::size_t bytes_so_far) {
  const auto [place, target] = place_and_target(entry);
  if (leads_out(place) || (entry.kind == 'h' && leads_out(target)))
    return "leads out of the folder";
  if (entry.kind == 'b' || entry.kind == 'c') return "is a device";
  if (entry.kind == 'p' || entry.kind == 's') return "is a pipe";
  if (bytes_so_far > kMaxBytes) return "is more than there may be: 256 MB of files";
  return "";
}

std::string objection_to_list(const std::string& list) {
  std::size_t num_bytes = 0;
  bool is_empty = true;
  for (const std::string& line : split_lines(list)) {
    const std::optional<Entry> entry = entry_in(line);
    if (!entry) continue;
    is_empty = false;
    num_bytes += entry->bytes;
    const std::string objection = objection_to(*entry, num_bytes);
    if (!objection.empty())
      return "its entry \"" + printable(entry->path) + "\" " + objection +
             "; pack it again without that entry";
  }
  return is_empty ? "the archive is empty" : "";
}

}  // namespace

std::string without_archive_extension(const std::string& file) {
  std::string small = file;
  std::ranges::transform(small, small.begin(), [](unsigned char c) { return std::tolower(c); });
  const auto found = std::ranges::find_if(
      kArchiveExtensions, [&](std::string_view extension) { return small.ends_with(extension); });
  return found == kArchiveExtensions.end() ? file : file.substr(0, file.size() - found->size());
}

std::string unpack(const fs::path& archive, const fs::path& folder) {
  const fs::path place = fs::absolute(archive);
  constexpr const char* kAdvice = "; ask for a .zip, or unpack it and put the folder in its place";
  const Outcome list = run_tar("tvf", place, folder);
  if (!list.ok()) return "the archive cannot be read: " + complaint_of(list) + kAdvice;
  const std::string objection = objection_to_list(list.output);
  if (!objection.empty()) return objection;
  const Outcome unpacked = run_tar("xf", place, folder);
  if (has_complaint(unpacked))
    return "the archive cannot be unpacked: " + complaint_of(unpacked) + kAdvice;
  return fs::is_empty(folder) ? "the archive cannot be unpacked: nothing comes out" : "";
}

// Those that are not unpacked yet, in a folder that nobody else has.
std::vector<fs::path> archives_in(const fs::path& folder) {
  std::vector<fs::path> archives;
  for (const auto& entry :
       fs::recursive_directory_iterator(folder, fs::directory_options::skip_permission_denied)) {
    const std::string name = entry.path().filename().string();
    const bool is_file = entry.is_regular_file() && !entry.is_symlink();
    if (is_file && !is_of_the_system(name) && without_archive_extension(name) != name)
      archives.push_back(entry.path());
  }
  std::ranges::sort(archives);
  return archives;
}

void unpack_inner(const fs::path& folder) {
  constexpr int kMost = 8;  // a person hands in a few
  std::set<fs::path> tried;
  for (int depth = 0; depth < 3; ++depth) {
    for (const fs::path& archive : archives_in(folder)) {
      if (tried.size() == kMost || !tried.insert(archive).second) continue;
      const fs::path inside = archive.string() + ".unpacked";
      fs::create_directories(inside);
      if (unpack(archive, inside).empty())
        fs::remove(archive);
      else
        fs::remove_all(inside);
    }
  }
}

}  // namespace kv::grader

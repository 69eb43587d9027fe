#include "grader/program/student/handed_in/handed_in.h"

#include <algorithm>
#include <array>
#include <sstream>

#include "common/errors.h"
#include "grader/program/base/process/process.h"

namespace kv::grader {
namespace {

constexpr std::array<std::string_view, 5> kArchives = {".zip", ".tar.gz", ".tgz", ".tar.xz",
                                                       ".tar"};

std::string_view archive_extension(const std::string& file) {
  const auto found = std::ranges::find_if(
      kArchives, [&](std::string_view extension) { return file.ends_with(extension); });
  return found == kArchives.end() ? "" : *found;
}

std::vector<HandedIn> in_folder(const fs::path& folder) {
  std::vector<HandedIn> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    const std::string_view extension = archive_extension(file);
    if (file.starts_with('.') || (!entry.is_directory() && extension.empty())) continue;
    found.push_back({file.substr(0, file.size() - extension.size()), entry.path()});
  }
  return found;
}

std::vector<HandedIn> in_list(const fs::path& file) {
  std::vector<HandedIn> found;
  int number = 0;
  for (const std::string& line : split_lines(read_file(file))) {
    ++number;
    std::istringstream words(line);
    HandedIn each;
    if (!(words >> each.name) || each.name.starts_with('#')) continue;
    std::string more;
    if (!(words >> each.url) || (words >> each.commit && words >> more) ||
        each.name.find('/') != std::string::npos || each.name.starts_with('.')) {
      throw UsageError(file.string() + ":" + std::to_string(number) +
                       ": expected \"name url [commit]\", with no / in the name");
    }
    if (each.commit.empty()) each.commit = "HEAD";
    found.push_back(each);
  }
  return found;
}

// A URL can have a password in it, and what is shown is read by others.
std::string without_password(const std::string& url) {
  const std::size_t begin = url.find("://");
  const std::size_t at = url.find('@');
  if (begin == url.npos || at == url.npos || at > url.find('/', begin + 3)) return url;
  return url.substr(0, begin + 3) + url.substr(at + 1);
}

// Under these rules nothing is written outside of `folder`, whatever names an archive has.
Outcome run_tar(const fs::path& archive, const fs::path& folder) {
  constexpr double kSeconds = 30;
  constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;
  FileAccess access{.readable = system_folders(), .writable = {folder}};
  access.readable.push_back(archive);
  return run({.argv = {"cmake", "-E", "chdir", folder.string(), "cmake", "-E", "tar", "xf",
                       archive.string()},
              .limits = Limits{.cpu_seconds = kSeconds, .file_bytes = kMaxFileBytes},
              .access = access});
}

std::string unpack(const fs::path& archive, const fs::path& folder) {
  const Outcome outcome = run_tar(fs::absolute(archive), folder);
  if (outcome.timed_out) return "the archive takes more than 30 seconds to unpack";
  if (outcome.ok() && !fs::is_empty(folder)) return "";
  return "the archive is damaged or empty";
}

std::string clone(const HandedIn& handed_in, const fs::path& folder) {
  constexpr double kSeconds = 120;
  const std::vector<std::string> git = {"git", "-c", "core.symlinks=false", "-c",
                                        "protocol.ext.allow=never"};
  const auto run_git = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), git.begin(), git.end());
    return run({.argv = arguments,
                .environment = {{"GIT_TERMINAL_PROMPT", "0"}, {"LC_ALL", "C.UTF-8"}},
                .wall_seconds = kSeconds});
  };
  Outcome outcome = run_git({"clone", "--quiet", "--", handed_in.url, folder.string()});
  if (outcome.ok())
    outcome =
        run_git({"-C", folder.string(), "checkout", "--quiet", "--detach", handed_in.commit, "--"});
  if (outcome.ok()) return "";
  const std::vector<std::string> lines = split_lines(printable(outcome.output));
  return "git cannot fetch " + handed_in.origin().place + " at " + handed_in.commit +
         (lines.empty() ? "" : ": " + replace_all(lines.back(), handed_in.url, "the repository"));
}

}  // namespace

Origin HandedIn::origin() const {
  if (url.empty()) return {.place = place.string()};
  return {.place = without_password(url), .commit = commit};
}

std::vector<HandedIn> find_handed_in(const fs::path& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  if (!is_folder && !fs::is_regular_file(path, error)) {
    throw UsageError("there is no \"" + path.string() +
                     "\"; name a folder with a folder or an archive for each submission, or a "
                     "file with lines \"name url [commit]\"");
  }
  std::vector<HandedIn> found = is_folder ? in_folder(path) : in_list(path);
  if (found.empty()) {
    throw UsageError("\"" + path.string() +
                     "\" holds no submission; expected are folders, .zip or .tar.gz");
  }
  std::ranges::sort(found, {}, &HandedIn::name);
  const auto twice = std::ranges::adjacent_find(found, {}, &HandedIn::name);
  if (twice == found.end()) return found;
  throw UsageError("two submissions are called \"" + twice->name + "\"; rename one");
}

HandedIn one_handed_in(const std::string& place, const std::string& commit) {
  if (!commit.empty()) return {.name = place, .url = place, .commit = commit};
  std::error_code error;
  if (fs::is_directory(place, error)) return {.name = place, .place = place};
  const std::string kinds =
      "; name a folder, a .zip or .tar.gz, or the URL of a repository with --commit";
  if (!fs::is_regular_file(place, error))
    throw UsageError("\"" + place + "\" is not there" + kinds);
  if (archive_extension(place).empty())
    throw UsageError("\"" + place + "\" is neither a folder nor an archive" + kinds);
  return {.name = place, .place = place};
}

std::string fetch(const HandedIn& handed_in, const fs::path& folder) {
  fs::create_directories(folder);
  if (!handed_in.url.empty()) return clone(handed_in, folder);
  if (!fs::is_directory(handed_in.place)) return unpack(handed_in.place, folder);
  std::error_code error;
  fs::copy(handed_in.place, folder, fs::copy_options::recursive | fs::copy_options::copy_symlinks,
           error);
  return error ? "the folder cannot be read: " + error.message() : "";
}

Fetched fetch_unless_folder(const HandedIn& handed_in, const fs::path& folder) {
  if (handed_in.url.empty() && fs::is_directory(handed_in.place)) return {handed_in.place, ""};
  return {folder, fetch(handed_in, folder)};
}

}  // namespace kv::grader

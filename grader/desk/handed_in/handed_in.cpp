#include "grader/desk/handed_in/handed_in.h"

#include <algorithm>
#include <sstream>

#include "base/process/process.h"
#include "base/text/errors.h"
#include "grader/desk/handed_in/archive.h"
#include "grader/desk/handed_in/class_folder.h"

namespace kv::grader {
namespace {

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
  std::ranges::sort(found, {}, &HandedIn::name);
  const auto twice = std::ranges::adjacent_find(found, {}, &HandedIn::name);
  if (twice == found.end()) return found;
  throw UsageError("two lines are called \"" + twice->name + "\"; rename one");
}

// A URL can have a password in it, and what is shown is read by others.
std::string without_password(const std::string& url) {
  const std::size_t begin = url.find("://");
  const std::size_t at = url.find('@');
  if (begin == url.npos || at == url.npos || at > url.find('/', begin + 3)) return url;
  return url.substr(0, begin + 3) + url.substr(at + 1);
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

std::string copy_files(const HandedIn& handed_in, const fs::path& folder) {
  std::error_code error;
  for (const auto& [name, place] : handed_in.files) {
    if (!fs::copy_file(place, folder / name, error))
      return "the file " + place.filename().string() + " cannot be read: " + error.message();
  }
  return "";
}

// Why the look first: fs::copy says of a pipe no more than "Invalid argument".
std::string copy_folder(const fs::path& place, const fs::path& folder) {
  std::error_code error;
  for (auto entry = fs::recursive_directory_iterator(place, error);
       entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::file_type type = entry->symlink_status(error).type();
    if (type == fs::file_type::regular || type == fs::file_type::directory ||
        type == fs::file_type::symlink)
      continue;
    return "its entry \"" + printable(entry->path().lexically_relative(place).string()) +
           "\" is a pipe or a device; take it away, or ask for the work again";
  }
  if (!error)
    fs::copy(place, folder, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
  return error ? "the folder cannot be read: " + error.message() : "";
}

}  // namespace

Origin HandedIn::origin() const {
  if (url.empty()) return {.place = place.string()};
  return {.place = without_password(url), .commit = commit};
}

std::vector<HandedIn> find_handed_in(const fs::path& path, const Manifest& manifest) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  if (!is_folder && !fs::is_regular_file(path, error)) {
    throw UsageError("there is no \"" + path.string() +
                     "\"; name a folder with a folder or an archive for each submission, or a "
                     "file with lines \"name url [commit]\"");
  }
  std::vector<HandedIn> found = is_folder ? in_class_folder(path, manifest) : in_list(path);
  if (!found.empty()) return found;
  throw UsageError("\"" + path.string() +
                   "\" holds no submission; expected are folders, archives or files of labs");
}

HandedIn one_handed_in(const std::string& place,
                       const std::string& commit,
                       const Manifest& manifest) {
  if (!commit.empty()) return {.name = place, .url = place, .commit = commit};
  std::error_code error;
  if (fs::is_directory(place, error)) return {.name = place, .place = place};
  const std::string kinds =
      "; name a folder, a .zip or .tar.gz, or the URL of a repository with --commit";
  if (!fs::is_regular_file(place, error))
    throw UsageError("\"" + place + "\" is not there" + kinds);
  if (without_archive_extension(place) != place) return {.name = place, .place = place};
  for (HandedIn& work : in_class_folder(fs::absolute(place).parent_path(), manifest)) {
    const auto is_this = [&](const auto& file) { return fs::equivalent(file.second, place); };
    if (std::ranges::any_of(work.files, is_this)) return std::move(work);
  }
  throw UsageError("\"" + place + "\" is neither a folder, an archive nor a file of a lab" + kinds);
}

std::string fetch(const HandedIn& handed_in, const fs::path& folder) {
  if (!handed_in.problem.empty()) return handed_in.problem;
  fs::create_directories(folder);
  if (!handed_in.url.empty()) return clone(handed_in, folder);
  if (!handed_in.files.empty()) return copy_files(handed_in, folder);
  const std::string problem = fs::is_directory(handed_in.place)
                                  ? copy_folder(handed_in.place, folder)
                                  : unpack(handed_in.place, folder);
  if (problem.empty()) unpack_inner(folder);
  return problem;
}

Fetched fetch_unless_folder(const HandedIn& handed_in, const fs::path& folder) {
  const bool is_folder = handed_in.url.empty() && fs::is_directory(handed_in.place);
  if (is_folder && archives_in(handed_in.place).empty()) return {handed_in.place, ""};
  return {folder, fetch(handed_in, folder)};
}

}  // namespace kv::grader

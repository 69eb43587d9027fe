#include "grader/classroom/handout/repository.h"

#include <set>
#include <sstream>

#include "base/text/errors.h"

namespace kv::grader::handout {
namespace {

constexpr const char* kTerms = "handout.json";

// before: the files of the last commit, whose folders may be gone. Why --force: a user's own
// settings may ignore objects. Why not everything: build/ is no part of it.
std::vector<std::string> added(const std::vector<std::string>& before,
                               const std::map<std::string, fs::path>& copies) {
  const auto top_of = [](const std::string& name) { return name.substr(0, name.find('/')); };
  std::set<std::string> tops = {kTerms, "AGENTS.md"};
  for (const std::string& name : before) tops.insert(top_of(name));
  for (const auto& [name, place] : copies) tops.insert(top_of(name));
  std::vector<std::string> arguments = {"add", "--all", "--force", "--"};
  arguments.insert(arguments.end(), tops.begin(), tops.end());
  return arguments;
}

}  // namespace

std::vector<std::string> tracked_files(const fs::path& folder) {
  const Outcome list = run({.argv = {"git", "-C", folder.string(), "ls-files", "-z"}});
  if (!list.ok())
    throw UsageError(
        "a copy of the kit is made of the files that git tracks; clone the kit with git, and run "
        "this there");
  std::vector<std::string> files;
  std::istringstream names(list.output);
  for (std::string name; std::getline(names, name, '\0');) files.push_back(name);
  return files;
}

std::string terms_in(const fs::path& folder) {
  return fs::exists(folder / kTerms) ? read_file(folder / kTerms) : "";
}

Repository::Repository(const fs::path& folder) : folder_(folder) {
  if (!fs::exists(folder_ / kTerms)) {
    if (fs::exists(folder_) && !fs::is_empty(folder_))
      throw UsageError(folder_.string() + " has files and is no handout; name a new folder");
    fs::create_directories(folder_);
    git_output({"init", "--quiet", "--initial-branch=main"});
    return;
  }
  if (!git_output({"status", "--porcelain"}).empty())
    throw UsageError(folder_.string() +
                     " has changes that are not committed; commit or remove them");
}

std::string Repository::commit(const std::map<std::string, std::string>& texts,
                               const std::map<std::string, fs::path>& copies,
                               const std::string& message) {
  const std::vector<std::string> before = tracked_files(folder_);
  for (const std::string& name : before) {
    if (!texts.contains(name) && !copies.contains(name)) fs::remove(folder_ / name);
  }
  for (const auto& [name, text] : texts) write_file(folder_ / name, text);
  for (const auto& [name, place] : copies) {
    if (texts.contains(name)) continue;
    fs::create_directories((folder_ / name).parent_path());
    fs::copy_file(place, folder_ / name, fs::copy_options::overwrite_existing);
  }
  git_output(added(before, copies));
  if (git({"diff", "--cached", "--quiet"}).ok()) return "";
  std::vector<std::string> arguments = {"commit", "--quiet", "-m", message};
  if (!git({"config", "user.email"}).ok())
    arguments.insert(arguments.begin(),
                     {"-c", "user.name=PagedLab", "-c", "user.email=pagedlab@localhost"});
  git_output(arguments);
  return git_output({"rev-parse", "--short=12", "HEAD"}).substr(0, 12);
}

Outcome Repository::git(const std::vector<std::string>& arguments) const {
  Command command{.argv = {"git", "-C", folder_.string()}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return run(command);
}

std::string Repository::git_output(const std::vector<std::string>& arguments) const {
  const Outcome outcome = git(arguments);
  if (outcome.ok()) return outcome.output;
  throw UsageError("git " + arguments.front() + " in " + folder_.string() +
                   " fails: " + printable(outcome.output));
}

}  // namespace kv::grader::handout

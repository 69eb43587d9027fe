#include "grader/engine/grading/provenance.h"

#include <ctime>

#include "base/kit/json.h"
#include "base/process/process.h"

namespace kv::grader {
namespace {

// Why the option: git refuses a repository that belongs to another user, as a shared kit does. Why
// the environment: the settings of the user may lie where a grading cannot read.
Outcome run_git(const Kit& kit, const std::vector<std::string>& arguments) {
  Command command{
      .argv = {"git", "-c", "safe.directory=*", "-C", kit.root.string()},
      .environment = {{"GIT_CONFIG_NOSYSTEM", "1"}, {"GIT_CONFIG_GLOBAL", "/dev/null"}}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return run(command);
}

std::string commit_of(const Kit& kit) {
  if (!is_installed("git") || !fs::exists(kit.root / ".git")) return "";
  const Outcome head = run_git(kit, {"rev-parse", "--short=12", "HEAD"});
  if (!head.ok()) return "";
  std::vector<std::string> diff = {"--no-optional-locks", "diff", "--quiet", "HEAD", "--"};
  diff.insert(diff.end(), kBuildParts.begin(), kBuildParts.end());
  diff.insert(diff.end(), {":(exclude)starter", ":(exclude)*.md"});  // neither changes a score
  const Outcome changes = run_git(kit, diff);
  const std::string commit = head.output.substr(0, head.output.find('\n'));
  return changes.exit_code == 1 ? commit + ", changed" : commit;
}

}  // namespace

std::string now_in_utc() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[sizeof "2026-03-09T17:30:00Z"] = "";
  std::strftime(text, sizeof text, "%FT%TZ", &parts);
  return text;
}

Provenance provenance_of(const Kit& kit, const fs::path& build_folder) {
  const Json built_with = Json::parse(read_file(build_folder / "built_with.json"));
  return {.kit_version = built_with.at("version"),
          .kit_commit = commit_of(kit),
          .score_sheet_digest = score_sheet_digest(kit),
          .compiler = built_with.at("compiler"),
          .compiler_options = built_with.at("options"),
          .date = now_in_utc()};
}

}  // namespace kv::grader

#include "grader/program/simt/simt_runs.h"

#include <cstdio>

#include "grader/program/base/errors.h"
#include "grader/program/process/process.h"
#include "grader/program/simt/simt_build.h"

namespace kv::grader {
namespace {

struct Run {
  std::string name;      // "forward", "reverse", "profile"
  std::string schedule;  // "forward", "reverse"
  std::string level;
  bool is_profile;
};

// Why two levels: an optimizer removes accesses whose value nobody uses, and with them their bugs;
// but the traffic that counts is that of optimized code.
std::vector<Run> runs_of(const SimtOptions& options) {
  const std::string check_level = options.level.empty() ? "0" : options.level;
  const std::string profile_level = options.level.empty() ? "1" : options.level;
  std::vector<Run> runs;
  if (options.schedule != "reverse") runs.push_back({"forward", "forward", check_level, false});
  if (options.schedule != "forward") runs.push_back({"reverse", "reverse", check_level, false});
  if (!options.no_profile) {
    const std::string schedule = options.schedule == "reverse" ? "reverse" : "forward";
    runs.push_back({"profile", schedule, profile_level, true});
  }
  return runs;
}

// The program's own output is shown once, of its first run.
Json run_once(const fs::path& program, const Run& run, const SimtOptions& options, bool is_first) {
  const fs::path report = program.parent_path() / (run.name + ".json");
  fs::remove(report);
  Command command{.argv = {program.string()}};
  command.argv.insert(command.argv.end(), options.arguments.begin(), options.arguments.end());
  command.environment = {{"KV_SIMT_REPORT", report.string()},
                         {"KV_SIMT_SCHEDULE", run.schedule},
                         {"KV_SIMT_PROFILE", run.is_profile ? "1" : "0"},
                         {"KV_SIMT_LOCKSTEP", run.is_profile && !options.occurrences ? "1" : "0"}};
  if (is_first) {
    command.on_line = [](const std::string& line) { std::printf("%s\n", line.c_str()); };
  }
  const Outcome outcome = kv::grader::run(command);
  Json result{{"run", run.name}, {"exit_code", outcome.exit_code}};
  if (outcome.signal != 0) result["signal"] = outcome.signal;
  result["report"] = Json::object();
  if (fs::exists(report)) result["report"] = Json::parse(read_file(report));
  return result;
}

// Paths relative to the current folder.
void shorten(Json& object) {
  if (!object.contains("file")) return;
  const std::string path = object["file"];
  const fs::path relative = fs::path(path).lexically_proximate(fs::current_path());
  if (!path.empty() && !relative.string().starts_with("..")) object["file"] = relative.string();
}

// What makes two findings equal: kind and places. Of two lines that race, either may be first.
std::vector<Json> key_of(const Json& finding) {
  std::vector<Json> places{{finding["kind"]}, {finding["file"], finding["line"]}};
  for (const Json& note : finding["notes"]) places.push_back({note["file"], note["line"]});
  std::sort(places.begin(), places.end());
  return places;
}

void merge_finding(Json& findings, Json finding, const std::string& run) {
  shorten(finding);
  for (Json& note : finding["notes"]) shorten(note);
  for (Json& known : findings) {
    if (key_of(known) != key_of(finding)) continue;
    known["runs"].push_back(run);
    return;
  }
  finding["runs"] = {run};
  findings.push_back(std::move(finding));
}

void merge(Json& all, Json result, const Run& run) {
  Json report = std::move(result["report"]);
  result.erase("report");
  all["runs"].push_back(result);
  for (const Json& finding : report.value("findings", Json::array())) {
    merge_finding(all["findings"], finding, run.name);
  }
  if (!run.is_profile) return;
  all["lines"] = report.value("lines", Json::array());
  for (Json& line : all["lines"]) shorten(line);
  all["kernels"] = report.value("kernels", Json::array());
}

}  // namespace

Json run_simt(const Kit& kit, const SimtOptions& options) {
  const SimtBuild build(kit, options);
  std::map<std::string, fs::path> programs;  // by level
  for (const Run& run : runs_of(options)) {
    if (!programs.contains(run.level)) programs[run.level] = build.build(run.level);
  }
  Json all{{"format", 1},
           {"program", options.files.front()},
           {"runs", Json::array()},
           {"findings", Json::array()},
           {"lines", Json::array()},
           {"kernels", Json::array()}};
  for (const Run& run : runs_of(options)) {
    merge(all, run_once(programs[run.level], run, options, all["runs"].empty()), run);
  }
  return all;
}

}  // namespace kv::grader

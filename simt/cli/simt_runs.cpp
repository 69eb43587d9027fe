#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/kit/json.h"
#include "base/process/parallel.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "base/text/text.h"
#include "simt/cli/nvcc_refusals.h"
#include "simt/cli/signs_of_life.h"
#include "simt/cli/simt.h"
#include "simt/cli/simt_build.h"

namespace kv::grader {
namespace {

const char* level_to_check(const SimtOptions& options) {
  return options.level == "1" ? "1" : "0";
}

// Why two levels: an optimizer removes accesses whose value nobody uses, and with them their bugs;
// but the traffic that counts is that of optimized code.
std::vector<SimtRun> runs_of(const SimtOptions& options) {
  const std::string check_level = level_to_check(options);
  const std::string profile_level = options.level.empty() ? "1" : options.level;
  std::vector<SimtRun> runs;
  if (options.schedule != "reverse") runs.push_back({"forward", "forward", check_level, false});
  if (options.schedule != "forward") runs.push_back({"reverse", "reverse", check_level, false});
  if (!options.no_profile) {
    const std::string schedule = options.schedule == "reverse" ? "reverse" : "forward";
    runs.push_back(
        {"profile", schedule, profile_level, true, !options.occurrences, !options.page.empty()});
  }
  return runs;
}

fs::path report_of(const fs::path& program, const SimtRun& run) {
  return program.parent_path() / (run.name + ".json");
}

// On a terminal the line may have a sign of life.
void show_line(const std::string& line) {
  const char* const begin = ::isatty(STDOUT_FILENO) != 0 ? "\033[K" : "";
  std::printf("%s%s\n", begin, line.c_str());
}

// The program's own output is shown once, of its first run.
Json run_once(const fs::path& program,
              const SimtRun& run,
              const SimtOptions& options,
              bool is_first) {
  const fs::path report = report_of(program, run);
  fs::remove(report);
  Command command = simt_process(program, run, report);
  command.argv.insert(command.argv.end(), options.arguments.begin(), options.arguments.end());
  if (is_first) command.on_line = show_line;
  if (!options.input.empty()) command.input = options.input;
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
  if (finding.contains("lanes")) {
    for (Json& lanes : finding["lanes"]) shorten(lanes);
  }
  for (Json& known : findings) {
    if (key_of(known) != key_of(finding)) continue;
    if (known["runs"].back() != run) known["runs"].push_back(run);
    return;
  }
  finding["runs"] = {run};
  findings.push_back(std::move(finding));
}

void merge(Json& all, Json result, const SimtRun& run) {
  Json report = std::move(result["report"]);
  if (report.contains("refused")) throw UsageError(report["refused"].get<std::string>());
  result.erase("report");
  all["runs"].push_back(result);
  for (const char* const kind : {"findings", "notes"}) {
    for (const Json& finding : report.value(kind, Json::array())) {
      merge_finding(all[kind], finding, run.name);
    }
  }
  if (report.value("abandoned_launches", 0) > 0) all["has_abandoned_launches"] = true;
  if (!run.is_profile) return;
  all["lines"] = report.value("lines", Json::array());
  for (Json& line : all["lines"]) shorten(line);
  all["kernels"] = report.value("kernels", Json::array());
  all["first_steps"] = report.value("first_steps", Json::array());
}

// The cause of a finding in one order of threads may be found in the other order only.
void put_causes_first(Json& findings) {
  std::ranges::stable_sort(findings.get_ref<Json::array_t&>(), {}, [](const Json& finding) {
    return std::pair(finding["launch"].get<unsigned>(), finding["rank"].get<int>());
  });
}

// What is built before anything runs.
struct SimtPrograms {
  std::map<std::string, SimtProgram> by_level;
  std::optional<SimtProgram> second;  // the one that clang++ compiles
};

// Why options count: a macro or a header in another folder may bring a struct.
bool may_return_structs(const simt::ProgramText& text, const SimtOptions& options) {
  return !options.macros.empty() || !options.include_folders.empty() || text.may_return_structs();
}

// g++ makes no call for a store of a struct that a function returns, and clang++ does. So where
// clang++ is installed, its program is checked, too, and may add findings.
bool has_second_check(const SimtBuild& build, const SimtOptions& options) {
  return options.compiler.empty() && build.compiler_kind() != "clang++" && is_installed("clang++");
}

std::optional<SimtProgram> build_second(const SimtPlaces& places, const SimtOptions& options) {
  SimtOptions second = options;
  second.compiler = "clang++";
  try {
    return SimtBuild(places, second).build(level_to_check(options));
  } catch (const UsageError&) {
    return std::nullopt;  // it does not compile this program: the first check stands
  }
}

SimtPrograms build_programs(const SimtPlaces& places,
                            const SimtBuild& build,
                            const std::vector<SimtRun>& runs,
                            const SimtOptions& options,
                            bool has_structs) {
  SimtPrograms programs;
  for (const SimtRun& run : runs) programs.by_level[run.level];
  std::vector<std::function<void()>> builds;
  for (auto& place : programs.by_level)
    builds.push_back([&build, &place] { place.second = build.build(place.first); });
  if (has_structs && has_second_check(build, options))
    builds.push_back([&] { programs.second = build_second(places, options); });
  in_parallel(builds.size(), [&](std::size_t i) { builds[i](); });
  return programs;
}

void run_together(const std::vector<SimtRun>& runs,
                  const std::map<std::string, SimtProgram>& programs,
                  const SimtOptions& options,
                  Json& all) {
  const bool has_run = !all["runs"].empty();
  std::vector<WatchedRun> watched;
  for (const SimtRun& run : runs) {
    const fs::path& program = programs.at(run.level).program;
    watched.push_back({run.name, status_beside(report_of(program, run))});
  }
  const SignsOfLife signs(watched);
  std::vector<Json> results(runs.size());
  in_parallel(runs.size(), [&](std::size_t i) {
    const fs::path& program = programs.at(runs[i].level).program;
    results[i] = run_once(program, runs[i], options, i == 0 && !has_run);
  });
  for (std::size_t i = 0; i < runs.size(); ++i) merge(all, std::move(results[i]), runs[i]);
}

void add_second_check(Json& all, const SimtPrograms& programs, const SimtOptions& options) {
  if (!programs.second) return;
  const std::string schedule = options.schedule == "reverse" ? "reverse" : "forward";
  const SimtRun run{"clang++", schedule, level_to_check(options), false};
  const fs::path status = status_beside(report_of(programs.second->program, run));
  const SignsOfLife signs({{run.name, status}});
  merge(all, run_once(programs.second->program, run, options, false), run);
  all["checked_with"].push_back(run.name);
}

// Why no profile after an abandoned launch: its kernel would be abandoned again, or counted in
// part.
void run_all(const std::vector<SimtRun>& runs,
             const SimtPrograms& programs,
             const SimtOptions& options,
             Json& all) {
  const auto first_profile = std::ranges::find_if(runs, &SimtRun::is_profile);
  run_together({runs.begin(), first_profile}, programs.by_level, options, all);
  if (!all["has_abandoned_launches"]) add_second_check(all, programs, options);
  if (all["has_abandoned_launches"]) return;
  run_together({first_profile, runs.end()}, programs.by_level, options, all);
}

// What this program is given as its standard input, in a file, since each run reads it.
fs::path kept_input(const fs::path& folder) {
  if (::isatty(STDIN_FILENO) != 0)
    std::fprintf(stderr, "the program reads its input: type it, and then Ctrl-D\n");
  std::string text;
  char bytes[4096];
  while (const std::size_t n = std::fread(bytes, 1, sizeof bytes, stdin)) text.append(bytes, n);
  const fs::path file = folder / "input";
  write_file(file, text);
  return file;
}

bool is_refused(const NvccRefusals& refusals, Json& all) {
  for (const Json& each : refusals.findings()) merge_finding(all["findings"], each, "nvcc");
  return !refusals.findings().empty();
}

}  // namespace

fs::path status_beside(fs::path report) {
  return report.replace_extension(".status");
}

Command simt_process(const fs::path& program, const SimtRun& run, const fs::path& report) {
  return {.argv = {program.string()},
          .environment = {{"KV_SIMT_REPORT", report.string()},
                          {"KV_SIMT_STATUS", status_beside(report).string()},
                          {"KV_SIMT_SCHEDULE", run.schedule},
                          {"KV_SIMT_PROFILE", run.is_profile ? "1" : "0"},
                          {"KV_SIMT_LOCKSTEP", run.has_lockstep ? "1" : "0"},
                          {"KV_SIMT_DETAILS", run.has_details ? "1" : "0"}}};
}

Json run_simt(const SimtPlaces& places, const SimtOptions& options) {
  const SimtBuild build(places, options);
  NvccRefusals refusals(build.files(), options.has_extended_lambda);
  Json all{{"format", 1},
           {"program", options.files.front()},
           {"checked_with", {build.compiler_kind()}},
           {"runs", Json::array()},
           {"findings", Json::array()},
           {"notes", Json::array()},
           {"lines", Json::array()},
           {"kernels", Json::array()},
           {"has_abandoned_launches", false}};
  const std::vector<SimtRun> runs = runs_of(options);
  const bool has_structs = may_return_structs(refusals.text(), options);
  all["may_return_structs"] = has_structs;
  SimtPrograms programs;
  try {
    programs = build_programs(places, build, runs, options, has_structs);
    refusals.read_warnings(programs.by_level.begin()->second.warnings);
  } catch (const UsageError&) {
    // What nvcc refuses the host's compiler may refuse, too, in its own words.
    if (refusals.findings().empty()) throw;
  }
  if (is_refused(refusals, all)) return all;
  SimtOptions with_input = options;
  if (refusals.text().reads_input()) with_input.input = kept_input(places.build / "simt");
  run_all(runs, programs, with_input, all);
  put_causes_first(all["findings"]);
  return all;
}

}  // namespace kv::grader

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <regex>
#include <set>

#include "base/kit/json.h"
#include "base/process/parallel.h"
#include "simt/cli/simt_build.h"
#include "simt/gpu/nvcc.h"
#include "simt/gpu/validate.h"

namespace kv::grader {
namespace {

// A program, or one bug of a program with several: a file of simt/tests/bugs prints "name: how it
// ended" for each of its bugs, and runs one if it is named.
struct Case {
  std::string name;
  fs::path gpu_program, simt_program;
  std::string bug = {};  // the argument of both programs
  bool is_clean = false;

  Command with_bug(Command command) const {
    if (!bug.empty()) command.argv.push_back(bug);
    return command;
  }
};

// What each side reports: " memcheck racecheck", " shared-race".
struct Reports {
  std::string nvidia, simulator;
};

constexpr double kPatienceSeconds = 40;  // sixteen of these tools share a GPU, and each takes 5 s

// The tools of compute-sanitizer that report an error. A kernel that never ends is not run again.
std::string tools_with_findings(const Case& each) {
  constexpr double kSecondsWithoutEnd = 8;
  const Command alone = each.with_bug({.argv = {each.gpu_program.string()}});
  Command once = alone;
  once.wall_seconds = kSecondsWithoutEnd;
  if (run(once).timed_out) return " (never ends)";
  std::string names;
  for (const std::string& tool : kSanitizerTools) {
    Command command = with_sanitizer(tool, alone);
    command.wall_seconds = kPatienceSeconds;
    const Outcome outcome = run(command);
    if (outcome.exit_code == kSanitizerFound) names += " " + tool;
    if (outcome.timed_out) names += " (" + tool + " never ends)";
  }
  return names;
}

std::string kinds_in_simulator(const Case& each, const fs::path& folder) {
  std::set<std::string> kinds;
  for (const std::string schedule : {"forward", "reverse"}) {
    const fs::path report = folder / (each.name + " " + schedule + ".json");
    Command command = each.with_bug(
        simt_process(each.simt_program, {.name = schedule, .schedule = schedule}, report));
    command.wall_seconds = kPatienceSeconds;
    run(command);
    if (!fs::exists(report)) continue;
    const Json all = Json::parse(read_file(report));
    for (const char* const list : {"findings", "notes"}) {
      for (const Json& each_of_list : all.value(list, Json::array()))
        kinds.insert(each_of_list["kind"].get<std::string>());
    }
  }
  std::string names;
  for (const std::string& kind : kinds) names += " " + kind;
  return names;
}

fs::path compile_for_simulator(const Kit& kit, const fs::path& source) {
  return SimtBuild(places_in_kit(kit), {.files = {source.string()}}).build("0").program;
}

std::vector<Case> cases_of_examples(const Kit& kit) {
  std::vector<Case> cases;
  for (const auto& entry : fs::recursive_directory_iterator(kit.root / "simt" / "examples")) {
    const fs::path& source = entry.path();
    if (source.extension() != ".cu") continue;
    const std::string folder = source.parent_path().filename().string();
    cases.push_back({.name = folder + " " + source.stem().string(),
                     .gpu_program = compile_for_gpu(kit, source),
                     .simt_program = compile_for_simulator(kit, source),
                     .is_clean = folder != "broken"});
  }
  return cases;
}

std::vector<Case> cases_of_bugs(const Kit& kit, const fs::path& source) {
  const fs::path gpu_program = compile_for_gpu(kit, source);
  const fs::path simt_program = compile_for_simulator(kit, source);
  const bool is_clean = read_file(source).find("// finds: ") == std::string::npos;
  static const std::regex ended("([a-z0-9-]+): cuda[A-Z]\\w+");
  std::vector<Case> cases;
  for (const std::string& line : split_lines(run({.argv = {simt_program.string()}}).output)) {
    std::smatch found;
    if (!std::regex_match(line, found, ended)) continue;
    const std::string name = source.stem().string() + " " + found[1].str();
    cases.push_back({name, gpu_program, simt_program, found[1], is_clean});
  }
  return cases;
}

std::vector<Case> all_cases(const Kit& kit) {
  std::vector<Case> cases = cases_of_examples(kit);
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(kit.root / "simt" / "tests" / "bugs")) {
    // nvcc does not compile the first, and needs more options for the second.
    const bool is_text = entry.path().stem() == "refused" || entry.path().stem() == "accepted";
    if (entry.path().extension() == ".cu" && !is_text) sources.push_back(entry.path());
  }
  // Why these last: a kernel that never ends takes its share of the GPU from all others.
  const auto is_endless = [](const fs::path& source) {
    return source.stem() == "hangs" || source.stem() == "waiting";
  };
  std::ranges::sort(sources, {}, [&](const fs::path& source) {
    return std::pair(is_endless(source), source.string());
  });
  std::vector<std::vector<Case>> of_source(sources.size());
  in_parallel(sources.size(),
              [&](std::size_t i) { of_source[i] = cases_of_bugs(kit, sources[i]); });
  for (const std::vector<Case>& each : of_source)
    cases.insert(cases.end(), each.begin(), each.end());
  return cases;
}

// NVIDIA's tools find fewer bugs than ours, so a planted bug agrees if ours reports it; in clean
// code nobody may report anything.
bool print_row(const Case& each, const Reports& reports) {
  const bool agrees = each.is_clean ? reports.nvidia.empty() && reports.simulator.empty()
                                    : !reports.simulator.empty();
  std::printf("%-6s | %-44s |%-32s |%s\n", agrees ? "ok" : "DIFFER", each.name.c_str(),
              reports.nvidia.c_str(), reports.simulator.c_str());
  std::fflush(stdout);
  return agrees;
}

}  // namespace

bool gpu_findings_agree(const Kit& kit) {
  const std::vector<Case> cases = all_cases(kit);
  const fs::path folder = kit.build / "gpu" / "reports";
  fs::create_directories(folder);
  std::printf("       | planted | compute-sanitizer | simulator\n");
  std::atomic<bool> agree = true;
  in_parallel(cases.size(), [&](std::size_t i) {
    const Reports reports{tools_with_findings(cases[i]), kinds_in_simulator(cases[i], folder)};
    if (!print_row(cases[i], reports)) agree = false;
  });
  return agree;
}

}  // namespace kv::grader

#include <cstdio>

#include "grader/program/base/process/process.h"
#include "grader/program/maintainer/check/gpu_validate.h"

namespace kv::grader {
namespace {

// The tools of compute-sanitizer that report an error: " memcheck synccheck".
std::string tools_with_findings(const std::vector<std::string>& program) {
  constexpr int kFound = 99;
  std::string names;
  for (const std::string tool : {"memcheck", "racecheck", "initcheck", "synccheck"}) {
    Command command{
        .argv = {"compute-sanitizer", "--tool", tool, "--error-exitcode", std::to_string(kFound)}};
    command.argv.insert(command.argv.end(), program.begin(), program.end());
    if (run(command).exit_code == kFound) names += " " + tool;
  }
  return names;
}

bool print_row(bool agrees, const std::string& name, const std::string& tools) {
  std::printf("%-6s %s:%s\n", agrees ? "ok" : "DIFFER", name.c_str(),
              tools.empty() ? " clean" : tools.c_str());
  return agrees;
}

bool examples_agree(const Kit& kit) {
  bool agree = true;
  for (const auto& entry : fs::recursive_directory_iterator(kit.root / "docs" / "examples")) {
    if (entry.path().extension() != ".cu") continue;
    const std::string tools = tools_with_findings({compile_for_gpu(kit, entry.path()).string()});
    const bool is_broken = entry.path().parent_path().filename() == "broken";
    const std::string name = fs::relative(entry.path(), kit.root).string();
    agree = print_row(tools.empty() != is_broken, name, tools) && agree;
  }
  return agree;
}

// A program in simt/tests/bugs prints "name: how it ended" for each of its bugs. NVIDIA's tools
// find fewer bugs than ours, so their findings are only printed; in clean code they must find
// nothing.
bool bugs_agree(const Kit& kit, const fs::path& file) {
  const std::string program = compile_for_gpu(kit, file).string();
  const bool is_clean = file.stem() == "clean";
  bool agree = true;
  for (const std::string& line : split_lines(run({.argv = {program}}).output)) {
    const std::string name = line.substr(0, line.find(':'));
    const std::string tools = tools_with_findings({program, name});
    agree =
        print_row(!is_clean || tools.empty(), file.stem().string() + " " + name, tools) && agree;
  }
  return agree;
}

}  // namespace

bool gpu_findings_agree(const Kit& kit) {
  bool agree = examples_agree(kit);
  for (const auto& entry : fs::directory_iterator(kit.root / "simt" / "tests" / "bugs")) {
    // nvcc does not compile the first, and needs more options for the second.
    const bool is_text = entry.path().stem() == "refused" || entry.path().stem() == "accepted";
    if (entry.path().extension() != ".cu" || is_text) continue;
    agree = bugs_agree(kit, entry.path()) && agree;
  }
  return agree;
}

}  // namespace kv::grader

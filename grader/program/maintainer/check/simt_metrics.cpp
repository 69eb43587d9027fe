#include <span>

#include "common/errors.h"
#include "grader/program/base/kit/json.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/expected_traffic.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

// The profile of a program without findings, an entry for each line and width.
std::vector<Json> profile(const Kit& kit,
                          const fs::path& file,
                          const std::string& compiler,
                          const std::string& level) {
  const fs::path report = kit.build / "profile.json";
  const Outcome outcome = run_lab(kit, {"simt", file.string(), "--compiler", compiler, "-O", level,
                                        "--schedule", "forward", "--json", report.string()});
  if (!outcome.ok()) throw KitBroken(file.string() + " is not clean:\n" + outcome.output);
  return Json::parse(read_file(report)).at("lines").get<std::vector<Json>>();
}

std::string counts(long num_requests, long num_lanes, long num_parts) {
  return std::to_string(num_requests) + " requests, " + std::to_string(num_lanes) + " lanes, " +
         std::to_string(num_parts) + " parts";
}

std::string measured(const std::vector<Json>& lines, const ExpectedTraffic& wanted) {
  const char* const part = wanted.space == "global" ? "sectors" : "wavefronts";
  std::string all;
  for (const Json& line : lines) {
    const bool is_wanted = line.at("line") == wanted.line && line.at("space") == wanted.space &&
                           line.at("access") == wanted.operation;
    if (is_wanted) all += counts(line.at("requests"), line.at("lanes"), line.at(part));
  }
  return all;
}

void check_textbook(const Kit& kit,
                    const std::string& compiler,
                    const std::string& level,
                    Checks& checks) {
  const fs::path file = kit.root / "simt" / "tests" / "textbook.cu";
  const std::vector<ExpectedTraffic> accesses = expected_traffic(read_file(file));
  const std::string name = "textbook metrics, " + compiler + " -O" + level;
  if (!is_installed(compiler)) return checks.unavailable(name, compiler);
  const std::vector<Json> lines = profile(kit, file, compiler, level);
  std::string wrong;
  for (const ExpectedTraffic& access : accesses) {
    const std::string wanted = counts(access.num_requests, access.num_lanes, access.num_parts);
    const std::string found = measured(lines, access);
    if (found == wanted) continue;
    wrong +=
        "textbook.cu:" + std::to_string(access.line) + ": " + wanted + "; counted: " + found + "\n";
  }
  const bool is_all = accesses.size() >= 30 && lines.size() == accesses.size();
  checks.expect(wrong.empty() && is_all,
                name + ": " + std::to_string(accesses.size()) + " lines exact", wrong);
}

std::set<MemoryAccess> simulated_accesses(const std::vector<Json>& lines) {
  std::set<MemoryAccess> accesses;
  for (const Json& line : lines) {
    if (line.at("access") == "atomic") continue;
    accesses.insert({line.at("line"), line.at("access"), line.at("space"), line.at("width")});
  }
  return accesses;
}

std::string list(const std::string& whose, std::span<const MemoryAccess> accesses) {
  std::string text;
  for (const MemoryAccess& access : accesses) {
    text += whose + ": line " + std::to_string(access.line) + " " + access.operation + " " +
            access.space + ", " + std::to_string(access.num_bytes) + " bytes\n";
  }
  return text;
}

// The programs compile with nvcc, and nvcc decides how wide an access is: a profile that splits or
// joins accesses counts wrongly.
void check_widths(const Kit& kit, const fs::path& file, Checks& checks) {
  const std::string name = file.filename().string() + " has the accesses of nvcc's PTX";
  if (!is_installed("nvcc")) return checks.unavailable(name, "nvcc");
  const fs::path ptx = kit.build / "widths.ptx";
  const Outcome compiled =
      run({.argv = {"nvcc", "-std=c++20", "-Werror", "all-warnings", "-arch=sm_80", "-lineinfo",
                    "-ptx", file.string(), "-o", ptx.string()}});
  if (!compiled.ok()) return checks.expect(false, name, compiled.output);
  const std::set<MemoryAccess> theirs = ptx_accesses(read_file(ptx), file.filename().string());
  const std::set<MemoryAccess> ours = simulated_accesses(profile(kit, file, "g++", "1"));
  std::vector<MemoryAccess> only_ours, only_theirs;
  std::ranges::set_difference(ours, theirs, std::back_inserter(only_ours));
  std::ranges::set_difference(theirs, ours, std::back_inserter(only_theirs));
  checks.expect(!theirs.empty() && ours == theirs, name,
                list("only here", only_ours) + list("only nvcc", only_theirs));
}

// 256 blocks of threads with a thousand tokens each: the size in a lab about paged attention.
void check_full_size(const Kit& kit, Checks& checks) {
  const fs::path file = kit.root / "simt" / "tests" / "paged_decode.cu";
  const Outcome outcome = run_lab(kit, {"simt", file.string(), "-O", "1", "--schedule", "forward",
                                        "--no-profile", "--", "tuned"});
  checks.expect(outcome.ok(), "a full-size paged decode is right and has no findings",
                outcome.output);
}

}  // namespace

void check_simt_metrics(const Kit& kit, Checks& checks) {
  for (const std::string compiler : {"g++", "clang++"}) {
    for (const std::string level : {"0", "1"}) check_textbook(kit, compiler, level, checks);
  }
  for (const std::string file : {"textbook.cu", "widths.cu"}) {
    check_widths(kit, kit.root / "simt" / "tests" / file, checks);
  }
  for (const auto& entry : fs::directory_iterator(kit.root / "docs" / "examples")) {
    if (entry.path().extension() == ".cu") check_widths(kit, entry.path(), checks);
  }
  check_full_size(kit, checks);
}

}  // namespace kv::grader

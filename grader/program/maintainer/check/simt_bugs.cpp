// The planted bugs of simt/tests/bugs/: each is found at its line and with its kind, with both
// compilers, optimized or not, in both orders of threads; and nothing else is found.

#include <algorithm>
#include <regex>
#include <set>

#include "grader/program/base/kit/json.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"

namespace kv::grader {
namespace {

struct Variant {
  std::string compiler;
  std::string level;

  std::string name() const { return compiler + " -O" + level; }
};

// "12 shared-race forward", "7 out-of-bounds forward (4,0,0)"
using Findings = std::set<std::string>;

// 2^24 basic blocks without progress, of which simt/tests/bugs/slow.cu is a measure.
const std::string kSmallBudget = "16777216";

const std::vector<std::string> kSchedules = {"forward", "reverse"};

// The comment "finds: KIND, KIND in thread (1,0,0) only in reverse" at the end of a line; "meets:"
// is at the other place of a finding.
void add_expected(Findings& findings,
                  const std::string& line,
                  const std::string& number,
                  const Variant& variant) {
  static const std::regex comment(
      "// (finds|notes|meets): ([a-z, -]+?)( in thread (\\([0-9,]+\\)))?( only (in|at) "
      "([a-z]+|-O[01]))?$");
  std::smatch found;
  if (!std::regex_search(line, found, comment)) return;
  if (found[6] == "at" && found[7] != "-O" + variant.level) return;
  for (const std::string& schedule : kSchedules) {
    if (found[6] == "in" && found[7] != schedule) continue;
    const std::string kinds = found[2];
    static const std::regex kind("[a-z-]+");
    for (std::sregex_iterator it(kinds.begin(), kinds.end(), kind), end; it != end; ++it) {
      const std::string what = number + " " + it->str();
      findings.insert(what + (found[1] == "meets" ? " met " : " ") + schedule);
      const bool has_thread = found[4].matched && schedule == "forward";
      if (has_thread) findings.insert(what + " in " + found[4].str());
    }
  }
}

Findings expected_findings(const fs::path& file, const Variant& variant) {
  Findings findings;
  int number = 0;
  for (const std::string& line : split_lines(read_file(file))) {
    add_expected(findings, line, std::to_string(++number), variant);
  }
  return findings;
}

// The line of each note, a place that belongs to the finding.
Findings met_lines(const Json& finding) {
  Findings lines;
  for (const Json& note : finding["notes"]) {
    for (const Json& run : finding["runs"]) {
      lines.insert(note["line"].dump() + " " + finding["kind"].get<std::string>() + " met " +
                   run.get<std::string>());
    }
  }
  return lines;
}

// Threads and other places are compared where a comment names one.
Findings actual_findings(const std::string& report, const Findings& expected) {
  Findings findings;
  const Json all = Json::parse(report);
  Json found = all["findings"];
  found.insert(found.end(), all["notes"].begin(), all["notes"].end());
  for (const Json& finding : found) {
    const std::string what = finding["line"].dump() + " " + finding["kind"].get<std::string>();
    const Json runs = finding["runs"] == Json{"nvcc"} ? Json(kSchedules) : finding["runs"];
    for (const Json& run : runs) findings.insert(what + " " + run.get<std::string>());
    std::string thread = finding.value("thread", Json::array()).dump();
    thread.front() = '(';
    thread.back() = ')';
    if (expected.contains(what + " in " + thread)) findings.insert(what + " in " + thread);
    for (const std::string& met : met_lines(finding)) {
      if (expected.contains(met)) findings.insert(met);
    }
  }
  return findings;
}

std::string what_differs(const Findings& expected, const Findings& actual) {
  std::string text;
  for (const std::string& each : expected) {
    if (!actual.contains(each)) text += "not found: line " + each + "\n";
  }
  for (const std::string& each : actual) {
    if (!expected.contains(each)) text += "not expected: line " + each + "\n";
  }
  return text;
}

// Returns the report, which has to be the same with every compiler.
std::string check_file(const Kit& kit,
                       const fs::path& file,
                       const Variant& variant,
                       Checks& checks) {
  const std::string name = "bugs/" + file.filename().string() + ", " + variant.name();
  const fs::path json = kit.build / "bugs.json";
  fs::remove(json);
  const Outcome outcome = run_lab(kit,
                                  {"simt", file.string(), "--no-profile", "-O", variant.level,
                                   "--compiler", variant.compiler, "--json", json.string()},
                                  "inner", {{"KV_SIMT_BUDGET", kSmallBudget}});
  if (!fs::exists(json)) {
    checks.expect(false, name, outcome.output);
    return "";
  }
  const std::string report = read_file(json);
  const Findings expected = expected_findings(file, variant);
  const std::string wrong = what_differs(expected, actual_findings(report, expected));
  const bool has_bugs = read_file(file).find("// finds: ") != std::string::npos;
  const bool is_exit_right = outcome.exit_code == (has_bugs ? 1 : 0);
  const std::string what = has_bugs ? "each found at its line" : "no bug found";
  checks.expect(wrong.empty() && is_exit_right, name + ": " + what, wrong + outcome.output);
  Json all = Json::parse(report);
  all.erase("checked_with");
  return all.dump(2);
}

// Both runs have the budget that everybody has. There is no profile: its run would hang, too.
void check_time_to_tell(const Kit& kit, const std::string& bug, Checks& checks) {
  constexpr double kMaxCpuSeconds = 10;  // on a machine that does nothing else, fewer seconds
  const fs::path file = kit.root / "simt" / "tests" / "bugs" / "hangs.cu";
  const Outcome outcome = run_lab(kit, {"simt", file.string(), "--", bug});
  const bool is_reported = outcome.exit_code == 1 &&
                           outcome.output.find("1 finding") != std::string::npos &&
                           outcome.output.find("no profile: ") != std::string::npos;
  checks.expect(is_reported && outcome.seconds < kMaxCpuSeconds,
                "bugs/hangs.cu, " + bug + ": told within 10 s",
                std::to_string(outcome.seconds) + " CPU seconds\n" + outcome.output);
}

}  // namespace

void check_simt_bugs(const Kit& kit, Checks& checks) {
  const fs::path folder = kit.root / "simt" / "tests" / "bugs";
  for (const std::string file :
       {"bounds.cu", "pointers.cu", "shared_races.cu", "global_races.cu", "waiting.cu", "hangs.cu",
        "slow.cu", "host_calls.cu", "structs.cu", "variables.cu", "launching.cu", "refused.cu",
        "async_copies.cu", "tensor_cores.cu", "accepted.cu", "harmless.cu", "clean.cu"}) {
    std::set<std::string> unoptimized;
    for (const std::string compiler : {"g++", "clang++"}) {
      if (!is_installed(compiler)) {
        checks.unavailable("bugs/" + file + ", " + compiler, compiler);
        continue;
      }
      unoptimized.insert(check_file(kit, folder / file, {compiler, "0"}, checks));
      check_file(kit, folder / file, {compiler, "1"}, checks);
    }
    checks.expect(unoptimized.size() == 1,
                  "bugs/" + file + ": the same report with every compiler");
  }
  for (const std::string bug : {"empty-loop", "flag-256"}) check_time_to_tell(kit, bug, checks);
}

}  // namespace kv::grader

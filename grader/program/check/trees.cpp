#include <algorithm>

#include "grader/program/check.h"

namespace kv::grader {
namespace {

std::string not_in(const LabResult& result, Status status) {
  if (!result.message.empty()) return result.message;
  std::string names;
  for (const TestResult& test : result.tests) {
    if (test.verdict.status != status) {
      names += test.spec->name + ": " + status_name(test.verdict.status) + ", " +
               test.verdict.headline + "\n";
    }
  }
  return names;
}

void check_starter(const Kit& kit, const std::string& compiler, Checks& checks) {
  TrialTree trial = strict_trial(kit, compiler);
  for (const LabSpec& lab : kit.manifest.labs) {
    const LabResult result = trial.grade(lab, "starter", {.seed = kit.manifest.seed});
    const std::string wrong = not_in(result, Status::kNotStarted);
    checks.expect(wrong.empty() && result.points(true) == 0 && result.points(false) == 0,
                  "lab " + lab.id + " starter, " + compiler + ": 0 points, all " +
                      std::to_string(result.tests.size()) + " tests not started, no warning",
                  wrong);
  }
}

// Every test says which README heading states what it pins, and the heading is there.
void check_headings(const Kit& kit, const LabResult& result, Checks& checks) {
  const std::string readme = read_file(kit.lab_folder(*result.lab) / "README.md");
  const std::string hints = read_file(kit.lab_folder(*result.lab) / "HINTS.md");
  std::string missing;
  for (const TestResult& test : result.tests) {
    const Verdict& verdict = test.verdict;
    if (verdict.pins.empty()) missing += test.spec->name + " has no PINS\n";
    for (const auto& [name, text] :
         {std::pair("README.md", readme), std::pair("HINTS.md", hints)}) {
      if (text.find("# " + verdict.heading + "\n") != std::string::npos) continue;
      missing +=
          std::string(name) + " lacks \"" + verdict.heading + "\" of " + test.spec->name + "\n";
    }
  }
  for (const StepSpec& step : result.lab->steps) {
    if (hints.find("# " + step.heading() + "\n") == std::string::npos) {
      missing += "HINTS.md lacks \"" + step.heading() + "\"\n";
    }
  }
  checks.expect(missing.empty(),
                "lab " + result.lab->id + ": every heading that a test names exists", missing);
}

void check_solution(const Kit& kit, const std::string& compiler, bool sanitize, Checks& checks) {
  const std::string kind = compiler + (sanitize ? " under ASan and UBSan" : "");
  TrialTree trial = strict_trial(kit, compiler, sanitize);
  for (const LabSpec& lab : kit.manifest.labs) {
    const LabResult result =
        trial.grade(lab, "solution", {.seed = kit.manifest.seed, .sanitized = sanitize});
    const std::string wrong = not_in(result, Status::kPass);
    checks.expect(wrong.empty(),
                  "lab " + lab.id + " solution, " + kind + ": " +
                      std::to_string(result.points(true)) + " core, " +
                      std::to_string(result.points(false)) + " extra",
                  wrong);
    if (!sanitize && compiler == "g++") check_headings(kit, result, checks);
  }
}

bool can_sanitize(const std::string& compiler) {
  const std::string build =
      "echo 'int main() {}' | " + compiler + " -fsanitize=address,undefined -x c++ - -o /dev/null";
  return run({.argv = {"sh", "-c", build}}).ok();
}

}  // namespace

void check_trees(const Kit& kit, Checks& checks) {
  for (const std::string compiler : {"g++", "clang++"}) {
    if (!is_installed(compiler)) {
      checks.unavailable("starter and solution with " + compiler, compiler);
      continue;
    }
    check_starter(kit, compiler, checks);
    check_solution(kit, compiler, false, checks);
    if (can_sanitize(compiler)) {
      check_solution(kit, compiler, true, checks);
    } else {
      checks.unavailable("solution with " + compiler + " under ASan and UBSan", "libclang-rt-dev");
    }
  }
}

}  // namespace kv::grader

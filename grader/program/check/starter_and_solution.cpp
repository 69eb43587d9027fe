#include <algorithm>
#include <span>

#include "grader/program/check/check.h"
#include "grader/program/report/report.h"

namespace kv::grader {
namespace {

std::string tests_without(const LabResult& result, Status status) {
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

using Labs = std::span<const LabSpec>;

struct BuildKind {
  std::string compiler;
  bool sanitize;  // with ASan and UBSan
  Labs labs;

  std::string name() const { return compiler + (sanitize ? " under ASan and UBSan" : ""); }
};

void check_starter(const Kit& kit, const BuildKind& kind, Checks& checks) {
  ScratchBuild build = strict_scratch_build(kit, kind.compiler, kind.sanitize);
  for (const LabSpec& lab : kind.labs) {
    const LabResult result =
        build.grade(lab, "starter", {.seed = kit.manifest.seed, .sanitized = kind.sanitize});
    const std::string wrong = tests_without(result, Status::kNotStarted);
    checks.expect(wrong.empty() && result.points(true) == 0 && result.points(false) == 0,
                  "lab " + lab.id + " starter, " + kind.name() + ": 0 points, all " +
                      std::to_string(result.tests.size()) + " tests not started, no warning",
                  wrong);
  }
}

// Every test names the README heading that states what it checks, and the heading is there; so is
// the last one, which the report names when a lab is finished.
void check_headings(const Kit& kit, const LabResult& result, Checks& checks) {
  const std::string readme = read_file(kit.lab_folder(*result.lab) / "README.md");
  const std::string hints = read_file(kit.lab_folder(*result.lab) / "HINTS.md");
  std::string missing;
  if (readme.find(std::string("\n## ") + kComparisonHeading + "\n") == std::string::npos) {
    missing += std::string("README.md lacks \"") + kComparisonHeading + "\"\n";
  }
  for (const TestResult& test : result.tests) {
    const Verdict& verdict = test.verdict;
    if (verdict.spec.empty()) missing += test.spec->name + " has no SPEC\n";
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
                "lab " + result.lab->id + ": every heading that a test or a report names exists",
                missing);
}

// Why no sanitizers for kernels: the simulator takes their place.
void check_solution(const Kit& kit, const BuildKind& kind, Checks& checks) {
  ScratchBuild build = strict_scratch_build(kit, kind.compiler, kind.sanitize);
  for (const LabSpec& lab : kind.labs) {
    if (kind.sanitize && lab.is_cuda()) continue;
    const LabResult result =
        build.grade(lab, "solution", {.seed = kit.manifest.seed, .sanitized = kind.sanitize});
    const std::string wrong = tests_without(result, Status::kPass);
    checks.expect(wrong.empty(),
                  "lab " + lab.id + " solution, " + kind.name() + ": " +
                      std::to_string(result.points(true)) + " core, " +
                      std::to_string(result.points(false)) + " extra",
                  wrong);
    if (!kind.sanitize && kind.compiler == shared_compiler()) check_headings(kit, result, checks);
  }
}

bool can_sanitize(const std::string& compiler) {
  const std::string build =
      "echo 'int main() {}' | " + compiler + " -fsanitize=address,undefined -x c++ - -o /dev/null";
  return run({.argv = {"sh", "-c", build}}).ok();
}

void check_kind(const Kit& kit, const BuildKind& kind, Checks& checks) {
  const std::string name = "starter and solution with " + kind.name();
  if (!is_installed(kind.compiler)) return checks.unavailable(name, kind.compiler);
  if (kind.sanitize && !can_sanitize(kind.compiler)) {
    return checks.unavailable(name, "libclang-rt-dev");
  }
  // Why not under sanitizers: a stub throws before anything could go wrong.
  if (!kind.sanitize) check_starter(kit, kind, checks);
  check_solution(kit, kind, checks);
}

}  // namespace

void check_starter_and_solution(const Kit& kit, Checks& checks) {
  check_kind(kit, {shared_compiler(), false, kit.manifest.labs}, checks);
}

// Why the sanitizers of g++ see lab 01 only: a build of all labs with clang's, which look for the
// same and more, takes half as long.
void check_other_builds(const Kit& kit, Checks& checks) {
  const Labs labs = kit.manifest.labs;
  const Labs lab_01 = labs.first(labs.front().id == "01" ? 1 : 0);
  for (const std::string compiler : {"g++", "clang++"}) {
    if (compiler != shared_compiler()) check_kind(kit, {compiler, false, labs}, checks);
    const Labs sanitized = compiler == "clang++" ? labs : lab_01;
    if (!sanitized.empty()) check_kind(kit, {compiler, true, sanitized}, checks);
  }
}

}  // namespace kv::grader

#include <functional>

#include "base/kit/closed_labs.h"
#include "base/kit/json.h"
#include "grader/engine/report/report.h"
#include "grader/engine/submission/flags.h"
#include "grader/proof/check/check.h"

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

struct BuildKind {
  std::string compiler;
  bool sanitize;  // with ASan and UBSan
  std::vector<LabSpec> labs;

  std::string name() const { return compiler + (sanitize ? " under ASan and UBSan" : ""); }
};

// What the JSON report says of a lab, without what only a run can find out about a test.
Json reported(const Kit& kit, const Submission& submission, const LabResult& result) {
  const fs::path file = kit.build / "untouched.json";
  write_json({.submission = &submission, .seed = 0, .labs = {result}}, file);
  Json lab = Json::parse(read_file(file)).at("labs").front();
  for (Json& test : lab.at("tests")) {
    for (const char* of_run : {"seconds", "source", "story"}) test.erase(of_run);
    if (test.at("output").get<std::string>().starts_with("needs ")) test.erase("output");
  }
  return lab;
}

// An untouched lab is known from its text. What is reported of it then is what its tests find.
void check_untouched(const Kit& kit, const LabResult& built, Checks& checks) {
  const LabSpec& lab = *built.lab;
  const Submission submission = stage_submission(kit, "starter", {&lab}, kit.build / "untouched");
  const SubmittedLab& submitted = submission.labs.front();
  const LabResult from_text = not_started_lab(submitted);
  const Json expected = reported(kit, submission, built);
  const Json yours = reported(kit, submission, from_text);
  checks.expect(submitted.is_untouched && yours == expected && lab_row(from_text) == lab_row(built),
                "lab " + lab.id + " starter, known from its text: reported as its tests report it",
                lab_row(from_text) + lab_row(built) + yours.dump(1) + "\n" + expected.dump(1));
}

// One blank more, a header of one's own or a file less: the lab is built.
void check_touched(const Kit& kit, const LabSpec& lab, Checks& checks) {
  const fs::path tree = kit.build / "touched";
  const auto is_built = [&](const std::function<void(const fs::path&)>& touch) {
    fs::remove_all(tree);
    fs::create_directories(tree);
    fs::copy(kit.root / "starter" / lab.folder, tree / lab.folder);
    touch(tree / lab.folder);
    return !stage_submission(kit, tree.string(), {&lab}, kit.build / "untouched")
                .labs.front()
                .is_untouched;
  };
  std::string wrong;
  if (is_built([](const fs::path&) {})) wrong += "a copy of starter/ counts as touched\n";
  for (const std::string& name : lab.files) {
    const auto add_blank = [&](const fs::path& folder) {
      write_file(folder / name, read_file(folder / name) + " ");
    };
    if (!is_built(add_blank)) wrong += "a blank at the end of " + name + " is not noticed\n";
  }
  const std::string& header = lab.headers.front();
  if (!is_built([&](const fs::path& folder) { fs::copy(kit.lab_folder(lab) / header, folder); }))
    wrong += "a copy of " + header + " is not noticed\n";
  const auto lose_file = [&](const fs::path& folder) { fs::remove(folder / lab.files.back()); };
  if (lab.files.size() > 1 && !is_built(lose_file))
    wrong += "a missing " + lab.files.back() + " is not noticed\n";
  checks.expect(wrong.empty(), "lab " + lab.id + ": what is not the stubs, byte for byte, is built",
                wrong);
}

void check_starter(const Kit& kit, const BuildKind& kind, Checks& checks) {
  ScratchBuild build = strict_scratch_build(kit, kind.compiler, kind.sanitize);
  for (const LabSpec& lab : kind.labs) {
    const LabResult result = build.grade(lab, "starter", {.seed = kit.manifest.seed});
    const std::string wrong = tests_without(result, Status::kNotStarted);
    checks.expect(wrong.empty() && result.points(true) == 0 && result.points(false) == 0,
                  "lab " + lab.id + " starter, " + kind.name() + ": 0 points, all " +
                      std::to_string(result.tests.size()) + " tests not started, no warning",
                  wrong);
    check_untouched(kit, result, checks);
    check_touched(kit, lab, checks);
  }
}

// For builds in which the tests of the starter would say nothing new.
void check_starter_compiles(const Kit& kit, const BuildKind& kind, Checks& checks) {
  ScratchBuild build = strict_scratch_build(kit, kind.compiler, kind.sanitize);
  for (const LabSpec& lab : kind.labs) {
    const Outcome built = build.try_build(lab, "starter", "lab" + lab.id + "_student");
    checks.expect(built.ok(), "lab " + lab.id + " starter, " + kind.name() + ": no warning",
                  first_error(built.output));
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

// Why: code that runs 20 times as many has no end (harness/endless.h).
void check_steps(const LabResult& result, Checks& checks) {
  std::string too_many;
  for (const TestResult& test : result.tests) {
    if (test.verdict.num_steps <= test.verdict.most_steps) continue;
    too_many += test.spec->name + ": " + std::to_string(test.verdict.num_steps) + "\n";
  }
  const std::string name = ": no test runs more basic blocks on the solution than it says";
  checks.expect(too_many.empty(), "lab " + result.lab->id + name, too_many);
}

void check_solution(const Kit& kit, const BuildKind& kind, Checks& checks) {
  ScratchBuild build = strict_scratch_build(kit, kind.compiler, kind.sanitize);
  for (const LabSpec& lab : kind.labs) {
    const LabResult result = build.grade(lab, "solution", {.seed = kit.manifest.seed});
    const std::string wrong = tests_without(result, Status::kPass);
    checks.expect(wrong.empty(),
                  "lab " + lab.id + " solution, " + kind.name() + ": " +
                      std::to_string(result.points(true)) + " core, " +
                      std::to_string(result.points(false)) + " extra",
                  wrong);
    if (kind.compiler != shared_compiler()) continue;
    check_headings(kit, result, checks);
    check_steps(result, checks);
  }
}

// Each compiler adds symbols of its own to an object.
void check_flags_of_solution(const Kit& kit, const std::string& compiler, Checks& checks) {
  const std::string name = "the solution, " + compiler + ": nothing is flagged for the instructor";
  if (!is_installed(compiler)) return checks.unavailable(name, compiler);
  ScratchBuild build = strict_scratch_build(kit, compiler, false);
  std::string flagged;
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::string target = "lab" + lab.id + "_student";
    const Outcome built = build.try_build(lab, "solution", target);
    const Submission submission =
        stage_submission(kit, "solution", {&lab}, kit.build / "flagged stage");
    const fs::path objects = build.build_tree().program("CMakeFiles/" + target + ".dir");
    if (!built.ok() || fs::is_empty(objects)) flagged += first_error(built.output) + "\n";
    for (const std::string& flag : flags_of(submission, lab, objects)) flagged += flag + "\n";
  }
  checks.expect(flagged.empty(), name, flagged);
}

// Why the program of the reference: it has the objects that the labs after it need, too.
void check_sanitized_solution(const Kit& kit, const BuildKind& kind, Checks& checks) {
  ScratchBuild build = strict_scratch_build(kit, kind.compiler, kind.sanitize);
  for (const LabSpec& lab : kind.labs) {
    const std::string program = "lab" + lab.id + "_reference";
    const Outcome built = build.try_build(lab, "solution", program);
    const Outcome outcome =
        built.ok() ? run({.argv = {build.build_tree().program(program).string()}}) : built;
    checks.expect(outcome.ok(), "lab " + lab.id + " solution, " + kind.name() + ": all tests pass",
                  outcome.output);
  }
}

bool can_sanitize(const std::string& compiler) {
  const std::string build =
      "echo 'int main() {}' | " + compiler + " -fsanitize=address,undefined -x c++ - -o /dev/null";
  return run({.argv = {"sh", "-c", build}}).ok();
}

void check_kind(const Kit& kit, const BuildKind& kind, Checks& checks) {
  if (kind.labs.empty()) return;
  const std::string name = "starter and solution with " + kind.name();
  if (!is_installed(kind.compiler)) return checks.unavailable(name, kind.compiler);
  if (kind.sanitize && !can_sanitize(kind.compiler)) {
    return checks.unavailable(name, "libclang-rt-dev");
  }
  const bool is_the_first = !kind.sanitize && kind.compiler == shared_compiler();
  if (is_the_first) {
    check_starter(kit, kind, checks);
  } else {
    check_starter_compiles(kit, kind, checks);
  }
  if (kind.sanitize) return check_sanitized_solution(kit, kind, checks);
  check_solution(kit, kind, checks);
}

}  // namespace

void check_starter_and_solution(const Kit& kit, Checks& checks) {
  check_kind(kit, {shared_compiler(), false, kit.manifest.labs}, checks);
}

// Why clang builds a lab once: with sanitizers, its warnings and results are the same. Kernels have
// none: the simulator takes their place. Those of g++ see lab 01 only: clang's look for the same
// and more, and take half as long to compile.
void check_other_builds(const Kit& kit, Checks& checks) {
  std::vector<LabSpec> lab_01, kernels, others;
  for (const LabSpec& lab : kit.manifest.labs) {
    if (lab.id == "01") lab_01.push_back(lab);
    (lab.is_cuda() ? kernels : others).push_back(lab);
  }
  check_kind(kit, {"g++", true, lab_01}, checks);
  check_kind(kit, {"clang++", true, others}, checks);
  if (shared_compiler() != "clang++") check_kind(kit, {"clang++", false, kernels}, checks);
  for (const char* compiler : {"g++", "clang++"}) check_flags_of_solution(kit, compiler, checks);
}

}  // namespace kv::grader

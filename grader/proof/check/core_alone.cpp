// A work that has the core points alone, as most students hand it in, and the same with what they
// print to find a mistake: it is right, and nobody is to be suspected for it.

#include "grader/engine/report/grading_run.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/partial_solution.h"
#include "grader/proof/mutate/function_body.h"

namespace kv::grader {
namespace {

constexpr std::uint64_t kNumSeeds = 3;

// Each function of a .cpp file prints a line first.
std::string with_debugging_output(const std::string& source, const std::string& file) {
  std::string text = source;
  if (!file.ends_with(".cpp")) return text;
  const std::vector<mutate::FunctionBody> bodies = mutate::function_bodies(source);
  for (auto body = bodies.rbegin(); body != bodies.rend(); ++body)
    text.insert(body->begin, "\n  std::cout << \"here\" << std::endl;");
  return "#include <iostream>\n" + text;
}

// is_printing: with what it prints to find a mistake.
fs::path write_core_alone(const Kit& kit, const LabSpec& lab, bool is_printing) {
  const fs::path tree = kit.build / "core-alone";
  for (const std::string& file : lab.files) {
    const std::string text = core_only_text(kit, lab, file);
    write_file(tree / lab.folder / file, is_printing ? with_debugging_output(text, file) : text);
  }
  return tree;
}

// The core tests that do not pass, a line each.
std::string not_passed(const LabResult& result) {
  std::string lines = result.message;
  for (const TestResult& test : result.tests)
    if (test.spec->is_core && test.verdict.status != Status::kPass)
      lines += test.spec->name + ": " + test.verdict.headline + "\n";
  return lines;
}

}  // namespace

void expect_no_flag(const Kit& kit,
                    ScratchBuild& build,
                    const LabResult& result,
                    const std::string& name,
                    Checks& checks) {
  std::vector<std::string> flags = result.flags;
  for (std::uint64_t seed = 1; seed <= kNumSeeds; ++seed) {
    const std::string flag = second_opinion(kit, build.build_tree(), result, seed);
    if (!flag.empty()) flags.push_back(flag);
  }
  checks.expect(flags.empty(), name + "no flag", join(flags, "\n"));
}

void check_core_alone(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const bool is_printing : {false, true}) {
      if (is_printing && lab.is_cuda()) continue;  // a kernel prints nothing
      const std::string name = "lab " + lab.id + " with its core points alone" +
                               (is_printing ? ", and debugging output: " : ": ");
      const fs::path tree = write_core_alone(kit, lab, is_printing);
      const LabResult result = build.grade(lab, tree.string(), {.seed = kit.manifest.seed});
      const int points = result.points(/*core=*/true);
      checks.expect(points == 100, name + std::to_string(points) + " of 100 points",
                    not_passed(result));
      expect_no_flag(kit, build, result, name, checks);
    }
  }
}

}  // namespace kv::grader

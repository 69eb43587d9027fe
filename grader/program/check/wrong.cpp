#include <algorithm>

#include "grader/program/check.h"
#include "grader/program/check/variation.h"

namespace kv::grader {
namespace {

constexpr std::size_t kFewestMistakes = 8;

bool is_killed(const TestResult& test) {
  return test.verdict.status != Status::kPass;
}

void check_mistake(const Variation& mistake, const LabResult& result, Checks& checks) {
  const auto is_named = [&](const TestResult& test) {
    return test.spec->name == mistake.killed_by;
  };
  const auto named = std::ranges::find_if(result.tests, is_named);
  const bool compiles = result.state != LabState::kDoesNotCompile;
  const auto num_kills = std::ranges::count_if(result.tests, is_killed);
  checks.expect(compiles && named != result.tests.end() && is_killed(*named),
                "lab " + result.lab->id + " " + mistake.name + ": killed by " + mistake.killed_by +
                    " and " + std::to_string(num_kills - 1) + " more",
                compiles ? mistake.sentence : result.message);
}

}  // namespace

void check_wrong(const Kit& kit, Checks& checks) {
  TrialTree trial(kit, {}, "check");
  for (const LabSpec& lab : kit.manifest.labs) {
    const std::vector<Variation> mistakes = load_variations(kit, lab, "wrong");
    checks.expect(mistakes.size() >= kFewestMistakes,
                  "lab " + lab.id + ": " + std::to_string(mistakes.size()) + " known mistakes");
    for (const Variation& mistake : mistakes) {
      const fs::path tree = write_variation(kit, lab, mistake);
      check_mistake(mistake, trial.grade(lab, tree, {.seed = kit.manifest.seed}), checks);
    }
  }
}

void check_right(const Kit& kit, Checks& checks) {
  TrialTree trial(kit, {}, "check");
  for (const LabSpec& lab : kit.manifest.labs) {
    int num_trees = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(kit.root / "grader" / "right")) {
      if (!fs::exists(entry.path() / lab.folder)) continue;
      ++num_trees;
      const LabResult result = trial.grade(lab, entry.path(), {.seed = kit.manifest.seed});
      const auto failure = result.first_failure();
      checks.expect(result.state == LabState::kDone,
                    "lab " + lab.id + " " + entry.path().filename().string() + ": " +
                        std::to_string(result.points(true)) + " core, " +
                        std::to_string(result.points(false)) + " extra",
                    failure ? tell(result, *failure) : result.message);
    }
    checks.expect(num_trees >= 2, "lab " + lab.id + ": at least two other right answers");
  }
}

}  // namespace kv::grader

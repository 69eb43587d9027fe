#include "grader/program/check/check.h"

namespace kv::grader {
namespace {

constexpr int kFewestRightAnswers = 4;

// The solution of the lab with the files of another right answer in place of its own.
fs::path write_right_answer(const Kit& kit, const LabSpec& lab, const fs::path& answer) {
  const fs::path tree = kit.build / "right";
  fs::remove_all(tree);
  fs::create_directories(tree);
  fs::copy(kit.root / "solution" / lab.folder, tree / lab.folder, fs::copy_options::recursive);
  fs::copy(answer, tree / lab.folder, fs::copy_options::overwrite_existing);
  return tree;
}

}  // namespace

void check_right(const Kit& kit, Checks& checks) {
  TrialTree trial = shared_trial(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    int num_trees = 0;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(kit.case_folder(lab) / "alternatives")) {
      ++num_trees;
      const LabResult result =
          trial.grade(lab, write_right_answer(kit, lab, entry.path()), {.seed = kit.manifest.seed});
      const auto failure = result.first_failure();
      checks.expect(result.state == LabState::kDone,
                    "lab " + lab.id + " " + entry.path().filename().string() + ": " +
                        std::to_string(result.points(true)) + " core, " +
                        std::to_string(result.points(false)) + " extra",
                    failure ? tell(result, *failure) : result.message);
    }
    checks.expect(num_trees >= kFewestRightAnswers,
                  "lab " + lab.id + ": " + std::to_string(num_trees) + " other right answers");
  }
}

}  // namespace kv::grader

#include "grader/engine/report/report.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

constexpr int kFewestAlternatives = 4;

}  // namespace

fs::path write_alternative(const Kit& kit, const LabSpec& lab, const fs::path& alternative) {
  const fs::path tree = kit.build / "alternative";
  fs::remove_all(tree);
  fs::create_directories(tree);
  fs::copy(kit.root / "solution" / lab.folder, tree / lab.folder, fs::copy_options::recursive);
  // Why recursive: with any other option alone, fs::copy leaves a folder uncopied and says nothing.
  fs::copy(alternative, tree / lab.folder,
           fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  return tree;
}

void check_alternatives(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    int num_trees = 0;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(kit.case_folder(lab) / "alternatives")) {
      ++num_trees;
      const fs::path tree = write_alternative(kit, lab, entry.path());
      const LabResult result = build.grade(lab, tree, {.seed = kit.manifest.seed});
      const auto failure = result.first_failure();
      checks.expect(result.state == LabState::kDone,
                    "lab " + lab.id + " " + entry.path().filename().string() + ": " +
                        std::to_string(result.points(true)) + " core, " +
                        std::to_string(result.points(false)) + " extra",
                    failure ? failure_text(result, *failure) : result.message);
      expect_no_flag(kit, build, result,
                     "lab " + lab.id + " " + entry.path().filename().string() + ": ", checks);
    }
    checks.expect(num_trees >= kFewestAlternatives,
                  "lab " + lab.id + ": " + std::to_string(num_trees) + " alternatives");
  }
}

}  // namespace kv::grader

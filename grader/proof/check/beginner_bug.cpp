#include "grader/proof/check/beginner_bug.h"

#include "grader/engine/grading/locate.h"

namespace kv::grader {

Variation variation_of(const BeginnerBug& bug) {
  Variation variation;
  variation.name = bug.name;
  variation.file = kFileOfBeginnerBugs;
  variation.old_text = bug.old_text;
  variation.new_text = bug.new_text;
  return variation;
}

LabResult graded(const Kit& kit, ScratchBuild& build, const LabSpec& lab, const BeginnerBug& bug) {
  const fs::path tree = write_variation(kit, lab, variation_of(bug));
  LabResult result = build.grade(lab, tree.string(), {.seed = kit.manifest.seed});
  const Submission submission{.name = "starter", .tree = tree, .stage = build.stage()};
  locate_failures(build.build_tree().program("lab" + lab.id + "_tests"), submission, result);
  return result;
}

std::string missing_in(const std::string& text, const std::vector<std::string>& parts) {
  std::string missing;
  for (const std::string& part : parts) {
    if (text.find(part) == std::string::npos) missing += "it does not say: " + part + "\n";
  }
  return missing.empty() ? missing : missing + "it says:\n" + text;
}

}  // namespace kv::grader

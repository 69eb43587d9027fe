#include <iostream>

#include "base/kit/closed_labs.h"
#include "base/kit/predict_questions.h"
#include "base/text/errors.h"
#include "grader/classroom/handout/handout.h"
#include "grader/engine/variations/scratch_build.h"
#include "grader/engine/variations/variation.h"

namespace kv::grader::handout {
namespace {

class Prebuilt {
 public:
  Prebuilt(const Kit& kit, const LabSpec& lab)
      : kit_(kit), lab_(lab), build_(kit, {}, "handout-build") {}

  // part: the folder of the objects. target: an object library.
  void add(const std::string& part, const std::string& tree, const std::string& target) {
    const Outcome built = build_.try_build(lab_, tree, target);
    if (!built.ok()) throw KitBroken(target + " does not build:\n" + indent(built.output, "  "));
    const fs::path folder = build_.build_tree().folder() / "CMakeFiles" / (target + ".dir");
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() == ".o") add_object(part, entry.path());
    }
  }

  std::map<std::string, fs::path> take() { return std::move(objects_); }

 private:
  void add_object(const std::string& part, const fs::path& object) {
    const fs::path name = fs::path(prebuilt_folder(kit_, lab_).lexically_relative(kit_.root)) /
                          part / object.filename();
    const fs::path stripped = kit_.build / "handout" / name;
    fs::create_directories(stripped.parent_path());
    if (!run({.argv = {"strip", "--strip-debug", "-o", stripped.string(), object.string()}}).ok())
      throw UsageError(
          "strip is missing, which takes the source's lines out of an object; "
          "apt-get install binutils");
    objects_[name.string()] = stripped;
  }

  const Kit& kit_;
  const LabSpec& lab_;
  ScratchBuild build_;
  std::map<std::string, fs::path> objects_;
};

}  // namespace

std::map<std::string, fs::path> prebuilt_objects(const Kit& kit, const LabSpec& lab) {
  std::cerr << "compiling the solution of lab " << lab.id << ", which stays closed ...\n";
  Prebuilt prebuilt(kit, lab);
  prebuilt.add("solution", "solution", "lab" + lab.id + "_solution");
  for (const PredictQuestion& question : predict_questions(kit, lab)) {
    if (!question.is_counterexample()) continue;
    const fs::path tree = write_variation(kit, lab, known_bug(kit, lab, question.bug));
    prebuilt.add("bug-" + question.bug, tree.string(), "lab" + lab.id + "_student");
  }
  return prebuilt.take();
}

}  // namespace kv::grader::handout

#include "grader/engine/variations/scratch_build.h"

#include "base/text/errors.h"

namespace kv::grader {
namespace {

ScratchBuild scratch_build(const Kit& kit,
                           const std::string& compiler,
                           bool sanitize,
                           Werror werror) {
  return {kit,
          {.sanitize = sanitize,
           .werror = werror,
           .compiler = compiler,
           .type = "Trial",
           .keep_going = true},
          "check-" + compiler + (sanitize ? "-sanitized" : "")};
}

}  // namespace

ScratchBuild::ScratchBuild(const Kit& kit, const BuildOptions& options, const std::string& folder)
    : kit_(kit), stage_(kit.build / (folder + "-stage")), build_(kit, folder, stage_, options) {}

LabResult ScratchBuild::grade(const LabSpec& lab,
                              const std::string& tree,
                              const RunOptions& options) {
  const Submission submission = stage_submission(kit_, tree, {&lab}, stage_);
  build_.configure();
  return grade_lab(kit_, build_, submission, submission.labs.front(), options);
}

Outcome ScratchBuild::try_build(const LabSpec& lab,
                                const std::string& tree,
                                const std::string& target,
                                const std::function<void(const std::string&)>& on_line) {
  stage_submission(kit_, tree, {&lab}, stage_);
  build_.configure();
  return build_.build(target, on_line);
}

fs::path ScratchBuild::build(const LabSpec& lab,
                             const std::string& tree,
                             const std::string& target) {
  const Outcome built = try_build(lab, tree, target);
  if (!built.ok()) throw KitBroken(target + " does not build:\n" + first_error(built.output));
  return build_.program(target);
}

ScratchBuild shared_scratch_build(const Kit& kit, bool sanitize) {
  return scratch_build(kit, shared_compiler(), sanitize, Werror::kInTheKit);
}

ScratchBuild strict_scratch_build(const Kit& kit, const std::string& compiler, bool sanitize) {
  return scratch_build(kit, compiler, sanitize, Werror::kEverywhere);
}

std::string shared_compiler() {
  return is_installed("g++") ? "g++" : "clang++";
}

}  // namespace kv::grader

#include "grader/program/student/bench/bench_build.h"

#include "common/errors.h"
#include "grader/program/student/submission/public_interface.h"

namespace kv::grader {
namespace {

void configure(BuildTree& tree) {
  try {
    tree.configure();
  } catch (const KitBroken& error) {
    if (std::string(error.what()).find("google/benchmark") == std::string::npos) throw;
    throw UsageError(
        "Google Benchmark is not installed, and it cannot be downloaded: "
        "apt-get install libbenchmark-dev");
  }
}

}  // namespace

Submission stage_for_bench(const Kit& kit,
                           const std::vector<const LabSpec*>& labs,
                           const std::string& tree,
                           const std::string& stage) {
  Submission submission = stage_submission(kit, tree, labs, kit.build / stage);
  for (const SubmittedLab& lab : submission.labs) {
    if (!lab.is_submitted)
      throw UsageError("missing in " + submission.name + "/" + lab.lab->folder + ": " +
                       join(lab.missing_files, ", "));
  }
  return submission;
}

BuildTree bench_tree(const Kit& kit, const Submission& submission) {
  BuildTree tree(kit, "bench", submission.stage, {.type = "Release", .native = true});
  configure(tree);
  return tree;
}

void build_student_files(const Kit& kit,
                         BuildTree& tree,
                         const Submission& submission,
                         const std::string& target) {
  const auto refuse = [&](const std::string& error) {
    throw UsageError("the code of " + submission.name + " does not compile:\n" +
                     submission.with_own_paths(error));
  };
  for (const SubmittedLab& lab : submission.labs)
    if (const auto error = changed_public_interface(kit, submission, *lab.lab)) refuse(*error);
  const Outcome objects = tree.build(target);
  if (!objects.ok()) refuse(first_error(objects.output));
}

fs::path build_bench(BuildTree& tree, const std::string& target) {
  const Outcome built = tree.build(target);
  if (!built.ok()) throw KitBroken(target + " does not build:\n" + first_error(built.output));
  return tree.program(target);
}

}  // namespace kv::grader

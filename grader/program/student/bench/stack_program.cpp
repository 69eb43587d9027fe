#include "grader/program/student/bench/stack_program.h"

#include "grader/program/student/bench/lab_program.h"

namespace kv::grader {
namespace {

// Lab 07, and the labs that it needs.
std::vector<const LabSpec*> labs_of_stack(const Kit& kit, const LabSpec& lab) {
  std::vector<const LabSpec*> labs;
  for (const std::string& id : lab.needs) labs.push_back(&kit.manifest.lab(id));
  labs.push_back(&lab);
  return labs;
}

}  // namespace

fs::path built_stack_program(const Kit& kit,
                             const LabSpec& lab,
                             const std::string& tree,
                             const std::string& program) {
  const Lock lock(kit.build);
  const Submission submission = stage_for_bench(kit, labs_of_stack(kit, lab), tree, "stack-stage");
  refuse_stubs(submission, "./lab " + program);
  BuildTree build(kit, "stack", submission.stage, {.type = "Release"});
  build.configure();
  build_student_files(kit, build, submission, "lab" + lab.id + "_stack");
  return build_bench(build, "lab" + lab.id + "_" + program);
}

}  // namespace kv::grader

#include <algorithm>

#include "grader/program/base/errors.h"
#include "grader/program/grading/grade.h"
#include "grader/program/submission/public_interface.h"

namespace kv::grader {
namespace {

LabResult without_tests(const LabSpec& lab, LabState state, std::string message) {
  LabResult result{.lab = &lab, .state = state, .message = std::move(message)};
  for (const TestSpec& test : lab.tests) {
    const bool is_there = state != LabState::kNotSubmitted;
    result.tests.push_back(
        {.spec = &test,
         .verdict = {.status = is_there ? Status::kCompileError : Status::kNoStart,
                     .headline = is_there ? "does not compile" : "not submitted"}});
  }
  return result;
}

std::string not_submitted_message(const Submission& submission, const SubmittedLab& submitted) {
  const std::string path = submission.name + "/" + submitted.lab->folder + "/";
  std::string message = "missing: " + path + join(submitted.missing_files, ", " + path);
  if (submission.name == "starter") {
    message += "\nto get the stub back: git checkout -- " + path + submitted.missing_files.front();
  }
  return message;
}

LabState state_of(const LabResult& result) {
  if (result.points(true) == result.lab->max_points(true)) return LabState::kDone;
  const bool untouched = std::ranges::all_of(result.tests, [](const TestResult& test) {
    return test.verdict.status == Status::kNotStarted;
  });
  return untouched ? LabState::kNotStarted : LabState::kInProgress;
}

// Builds the lab; the message of the first error if it does not build. Throws KitBroken when the
// solution does not build either.
std::optional<std::string> build_error(BuildTree& tree, const LabSpec& lab) {
  const std::string name = "lab" + lab.id;
  const Outcome objects = tree.build(name + "_student");
  if (!objects.ok()) return first_error(objects.output);
  const Outcome tests = tree.build(name + "_tests");
  if (tests.ok()) return std::nullopt;
  const Outcome reference = tree.build(name + "_reference");
  if (!reference.ok()) {
    throw KitBroken("lab " + lab.id + " does not build with the kit's own solution:\n" +
                    indent(first_error(reference.output), "  "));
  }
  return first_error(tests.output);
}

}  // namespace

LabResult grade_lab(const Kit& kit,
                    BuildTree& tree,
                    const Submission& submission,
                    const SubmittedLab& submitted,
                    const RunOptions& options) {
  const LabSpec& lab = *submitted.lab;
  if (!submitted.is_submitted) {
    return without_tests(lab, LabState::kNotSubmitted,
                         not_submitted_message(submission, submitted));
  }
  std::optional<std::string> error = changed_public_interface(kit, submission, lab);
  if (!error) error = build_error(tree, lab);
  if (error)
    return without_tests(lab, LabState::kDoesNotCompile, submission.with_own_paths(*error));
  LabResult result{.lab = &lab, .state = LabState::kInProgress};
  result.open_steps = submitted.open_steps;
  result.tests = run_tests(kit, tree, lab, options);
  result.state = state_of(result);
  result.flags = flags_of(tree.program("CMakeFiles/lab" + lab.id + "_student.dir"));
  for (const TestResult& test : result.tests) {
    if (test.verdict.num_forged == 0) continue;
    result.flags.push_back("wrote to the grader's private pipe in " + test.spec->name);
  }
  if (!submitted.missing_files.empty()) {
    result.notes.push_back("graded as untouched, for they are not in the tree: " +
                           join(submitted.missing_files, ", "));
  }
  return result;
}

}  // namespace kv::grader

#include "grader/program/cli/diff.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "grader/program/base/errors.h"
#include "grader/program/cli/confirm.h"
#include "grader/program/cpptext/functions.h"
#include "grader/program/grading/grade_lab.h"
#include "grader/program/kit/closed_labs.h"

namespace kv::grader {
namespace {

// `diff` of two texts with all their context; empty when they are equal.
std::string text_diff(const Kit& kit,
                      const std::string& yours,
                      const std::string& solution,
                      const std::string& name) {
  const fs::path folder = kit.build / "diff";
  write_file(folder / "yours", yours);
  write_file(folder / "solution", solution);
  const Outcome outcome = run(
      {.argv = {"diff", "-U", "100", "--label", "yours: " + name, "--label", "solution: " + name,
                (folder / "yours").string(), (folder / "solution").string()}});
  if (outcome.exit_code > 1) throw UsageError("the program diff did not run; install diffutils");
  return printable(outcome.output);
}

std::string without(std::string source, const FunctionText& function) {
  return replace_all(std::move(source), join(function.lines, "\n") + "\n", "");
}

void diff_file(const Kit& kit, const LabSpec& lab, const std::string& file, const fs::path& tree) {
  std::string yours = read_file(tree / lab.folder / file);
  std::string solution = kit.solution_text(lab, file);
  for (const StepSpec& step : lab.steps) {
    if (step.file != file || !step.has_stub()) continue;
    const auto your_function = find_function(yours, step.name);
    const auto solution_function = find_function(solution, step.name);
    if (!your_function || !solution_function) {
      std::printf("\n%s: not found in your file\n", step.heading().c_str());
      continue;
    }
    const std::string text = text_diff(kit, join(your_function->lines, "\n") + "\n",
                                       join(solution_function->lines, "\n") + "\n", step.heading());
    std::printf("\n%s%s", text.empty() ? (step.heading() + ": the same\n").c_str() : "",
                text.c_str());
    yours = without(yours, *your_function);
    solution = without(solution, *solution_function);
  }
  const std::string rest = text_diff(kit, yours, solution, file + " outside the steps");
  if (!rest.empty()) std::printf("\n%s", rest.c_str());
}

void list_extra_files(const LabSpec& lab, const fs::path& tree) {
  for (const fs::directory_entry& entry : fs::directory_iterator(tree / lab.folder)) {
    const std::string name = entry.path().filename().string();
    const bool is_known =
        std::ranges::count(lab.files, name) + std::ranges::count(lab.headers, name) > 0;
    if (!is_known)
      std::printf("\nextra file, not graded: %s/%s\n", lab.folder.c_str(), printable(name).c_str());
  }
}

// The solution is for readers who have an answer of their own to compare with it.
bool is_shown(const Kit& kit, const Submission& submission, const SubmittedLab& submitted) {
  BuildTree tree(kit, "grade", submission.stage, {});
  tree.configure();
  const LabResult result = grade_lab(kit, tree, submission, submitted, {.seed = kit.manifest.seed});
  if (result.state == LabState::kDone) return true;
  const std::string& id = submitted.lab->id;
  return confirm("Lab " + id + " has " + std::to_string(result.points(true)) +
                     " of 100 points. You remember what you find yourself better than what you "
                     "read.\nShow the solution now?",
                 "lab " + id + " is not done; --yes shows the solution anyway");
}

}  // namespace

int diff_command(const Kit& kit, const DiffOptions& asked) {
  DiffOptions options = asked;
  if (options.lab.empty() && kit.manifest.find(options.tree) != nullptr) {
    options.lab = std::exchange(options.tree, "starter");  // `./lab diff 01`
  }
  std::vector<std::string> names;
  if (!options.lab.empty()) names.push_back(options.lab);
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(names);
  const Lock lock(kit.build);
  const Submission submission = stage_submission(kit, options.tree, labs, kit.build / "stage");
  for (const SubmittedLab& submitted : submission.labs) {
    const LabSpec& lab = *submitted.lab;
    if (!submitted.is_submitted) {
      std::printf("lab %s: not submitted\n", lab.id.c_str());
      continue;
    }
    refuse_if_closed(kit, lab, "./lab diff");
    if (!options.yes && !is_shown(kit, submission, submitted)) continue;
    std::printf("lab %s  %s: %s and the solution\n", lab.id.c_str(), lab.title.c_str(),
                submission.name.c_str());
    for (const std::string& file : lab.files) diff_file(kit, lab, file, submission.stage);
    list_extra_files(lab, submission.tree);
  }
  return kExitGraded;
}

}  // namespace kv::grader

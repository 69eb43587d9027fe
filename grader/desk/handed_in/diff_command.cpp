#include <algorithm>
#include <cstdio>
#include <utility>

#include "base/commands/command_line.h"
#include "base/cpp_text/functions.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/desk/handed_in/handed_in.h"
#include "grader/engine/report/grading_run.h"

namespace kv::grader {
namespace {

struct DiffOptions {
  std::string tree = "starter";
  std::string lab = {};     // empty: all
  std::string commit = {};  // empty: the tree is no repository to be cloned
  bool yes = false;
};

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

struct Compared {
  Submission submission;
  std::vector<std::string> notes = {};  // how its files were found
};

// What was handed in is found and mapped as by ./lab class, into a tree in the build folder.
Compared mapped_submission(const Kit& kit,
                           const DiffOptions& options,
                           const std::vector<const LabSpec*>& labs) {
  const HandedIn handed_in = one_handed_in(options.tree, options.commit, kit.manifest);
  const fs::path folder = kit.build / "diff";
  fs::remove_all(folder / "handed-in");
  const Fetched fetched = fetch_unless_folder(handed_in, folder / "handed-in");
  if (!fetched.problem.empty())
    throw UsageError("\"" + options.tree + "\" cannot be compared: " + fetched.problem);
  const MappedTree mapped = map_files(kit.manifest, fetched.place);
  if (mapped.files.empty()) {
    throw UsageError("\"" + options.tree + "\" holds no file of any lab" +
                     (mapped.notes.empty() ? "" : "; " + mapped.notes.front()));
  }
  fs::create_directories(folder / "tree");
  write_tree(mapped, folder / "tree");
  return {stage_submission(kit, (folder / "tree").string(), labs, kit.build / "stage",
                           handed_in.origin()),
          mapped.notes};
}

Compared found_submission(const Kit& kit,
                          const DiffOptions& options,
                          const std::vector<const LabSpec*>& labs) {
  const bool is_ours = options.tree == "starter" || options.tree == "solution";
  if (!is_ours || !options.commit.empty()) return mapped_submission(kit, options, labs);
  return {stage_submission(kit, options.tree, labs, kit.build / "stage")};
}

// The solution is for readers who have an answer of their own to compare with it.
bool is_shown(const Kit& kit, const Submission& submission, const SubmittedLab& submitted) {
  GradingRun run(kit, submission, {});
  const LabResult result = run.grade(submitted, {});
  if (result.state == LabState::kDone) return true;
  const std::string& id = submitted.lab->id;
  return confirm("Lab " + id + " has " + std::to_string(result.points(true)) +
                     " of 100 points. You remember what you find yourself better than what you "
                     "read.\nShow the solution now?",
                 "lab " + id + " is not done; --yes shows the solution anyway");
}

void diff_lab(const Kit& kit,
              const Submission& submission,
              const SubmittedLab& submitted,
              bool is_wanted) {
  const LabSpec& lab = *submitted.lab;
  refuse_if_closed(kit, lab, "./lab diff");
  if (!is_wanted && !is_shown(kit, submission, submitted)) return;
  std::printf("\nlab %s  %s: %s and the solution\n", lab.id.c_str(), lab.title.c_str(),
              submission.name.c_str());
  for (const std::string& file : lab.files) diff_file(kit, lab, file, submission.stage);
  list_extra_files(lab, submission.tree);
}

void declare_diff(CommandForm& form, DiffOptions& options) {
  form.argument("TREE", options.tree,
                "starter (default), or a submission: a folder, a whole clone, an archive");
  form.argument("LAB", options.lab, "one lab; all if none is given");
  form.option("--commit", options.commit,
              "TREE is the URL of a git repository: compare this commit or branch of it");
  form.flag("--yes", options.yes, "do not ask, even if a lab is not done (for instructors)");
}

int diff_command(const Kit& kit, const DiffOptions& asked) {
  DiffOptions options = asked;
  if (options.lab.empty() && kit.manifest.find(options.tree) != nullptr) {
    options.lab = std::exchange(options.tree, "starter");  // `./lab diff 01`
  }
  std::vector<std::string> names;
  if (!options.lab.empty()) names.push_back(options.lab);
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(names);
  const Lock lock(kit.build);
  const Compared compared = found_submission(kit, options, labs);
  std::vector<std::string> not_submitted;
  for (const SubmittedLab& submitted : compared.submission.labs) {
    if (submitted.is_submitted)
      diff_lab(kit, compared.submission, submitted, options.yes);
    else
      not_submitted.push_back(submitted.lab->id);
  }
  if (!not_submitted.empty())
    std::printf("\nnot submitted: lab %s\n", join(not_submitted, ", ").c_str());
  for (const std::string& note : compared.notes)
    std::printf("\nnote: %s\n", printable(note).c_str());
  return kExitGraded;
}

}  // namespace

void add_diff_command(CommandLine& line) {
  line.add<DiffOptions>("diff", declare_diff, diff_command);
}

}  // namespace kv::grader

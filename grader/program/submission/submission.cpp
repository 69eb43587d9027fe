#include "grader/program/submission/submission.h"

#include <algorithm>

#include "grader/program/base/errors.h"
#include "grader/program/kit/digest.h"

namespace kv::grader {
namespace {

fs::path resolve(const Kit& kit, const std::string& tree) {
  if (tree == "starter" || tree == "solution") return kit.root / tree;
  if (!fs::is_directory(tree)) {
    throw UsageError("there is no folder \"" + tree +
                     "\"; --tree takes starter, solution, or a "
                     "folder that holds 01-free-queue and so on");
  }
  return fs::canonical(tree);
}

bool holds_any(const fs::path& tree, const std::vector<const LabSpec*>& labs) {
  return std::ranges::any_of(labs, [&](const LabSpec* lab) {
    return std::ranges::any_of(
        lab->files, [&](const std::string& file) { return fs::exists(tree / lab->folder / file); });
  });
}

void refuse_empty(const Kit& kit,
                  const std::string& name,
                  const fs::path& tree,
                  const std::vector<const LabSpec*>& labs) {
  if (holds_any(tree, labs)) return;
  const std::string example = labs.front()->folder + "/" + labs.front()->files.front();
  std::string mend = "expected for example " + (tree / example).string();
  if (holds_any(tree / "starter", labs))
    mend = "did you mean --tree " + (tree / "starter").string() + "?";
  if (fs::equivalent(tree, kit.root)) mend = "did you mean --tree starter?";
  throw UsageError("\"" + name + "\" holds no file of the labs asked for; " + mend);
}

// Copies one file, if it is there, and keeps the date of a copy that is up to date already.
bool stage_file(const fs::path& from, const fs::path& to) {
  if (!fs::is_regular_file(from)) {
    fs::remove(to);
    return false;
  }
  write_file(to, read_file(from));
  return true;
}

// A file that was not handed in counts as its stub, as long as starter/ still has that untouched.
bool stage_stub(const Kit& kit, const LabSpec& lab, const std::string& file, const fs::path& to) {
  const fs::path stub = kit.root / "starter" / lab.folder / file;
  if (!fs::is_regular_file(stub)) return false;
  const auto has_its_file = [&](const StepSpec& step) {
    return step.file == file && step.has_stub();
  };
  const auto num_steps = std::ranges::count_if(lab.steps, has_its_file);
  const std::string source = read_file(stub);
  if (std::ssize(open_steps(source)) != num_steps) return false;
  write_file(to, source);
  return true;
}

SubmittedLab stage_lab(const Kit& kit, const LabSpec& lab, Submission& submission) {
  SubmittedLab submitted{.lab = &lab};
  const fs::path stage = submission.stage / lab.folder;
  bool all_there = true;
  for (const std::string& file : lab.files) {
    const std::string path = lab.folder + "/" + file;
    if (stage_file(submission.tree / path, stage / file)) {
      submission.file_digests[path];
      continue;
    }
    submitted.missing_files.push_back(file);
    all_there &= stage_stub(kit, lab, file, stage / file);
  }
  submitted.is_submitted = all_there && submitted.missing_files.size() < lab.files.size();
  if (!submitted.is_submitted) return submitted;
  for (const std::string& header : lab.headers) {
    const std::string path = lab.folder + "/" + header;
    if (stage_file(submission.tree / path, stage / header)) submission.file_digests[path];
  }
  for (const std::string& file : lab.files) {
    for (std::string& step : open_steps(read_file(stage / file))) {
      submitted.open_steps.push_back(std::move(step));
    }
  }
  return submitted;
}

void add_digests(Submission& submission) {
  std::vector<std::string> files;
  for (const auto& [file, digest] : submission.file_digests) files.push_back(file);
  submission.file_digests = sha256(submission.stage, files);
  submission.digest = digest_over(submission.file_digests, submission.stage / "digests");
}

}  // namespace

std::string Submission::with_own_paths(std::string text) const {
  const bool is_ours = name == "starter" || name == "solution";
  return replace_all(std::move(text), stage.string(), is_ours ? name : tree.string());
}

Submission stage_submission(const Kit& kit,
                            const std::string& tree,
                            const std::vector<const LabSpec*>& labs,
                            const fs::path& stage) {
  Submission submission{.name = tree, .tree = resolve(kit, tree), .stage = stage};
  for (const std::string own : {"starter", "solution"}) {
    // Why: a report on the solution says so, whichever way the folder was spelled.
    if (fs::exists(kit.root / own) && fs::equivalent(submission.tree, kit.root / own)) {
      submission.name = own;
    }
  }
  refuse_empty(kit, tree, submission.tree, labs);
  for (const LabSpec* lab : labs) submission.labs.push_back(stage_lab(kit, *lab, submission));
  add_digests(submission);
  return submission;
}

}  // namespace kv::grader

#include "grader/engine/submission/submission.h"

#include <algorithm>

#include "base/kit/closed_labs.h"
#include "base/kit/kit.h"
#include "base/text/errors.h"

namespace kv::grader {
namespace {

// Why with an error code: a loop of symbolic links is no file, and nothing worse.
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

fs::path resolve(const Kit& kit, const std::string& tree) {
  if (tree == "starter" || tree == "solution") return kit.root / tree;
  std::error_code error;
  if (!fs::is_directory(tree, error)) {
    throw UsageError("there is no folder \"" + tree +
                     "\"; --tree takes starter, solution, or a "
                     "folder that holds 01-free-queue and so on");
  }
  return fs::canonical(tree);
}

bool holds_any(const fs::path& tree, const std::vector<const LabSpec*>& labs) {
  return std::ranges::any_of(labs, [&](const LabSpec* lab) {
    return std::ranges::any_of(
        lab->files, [&](const std::string& file) { return is_file(tree / lab->folder / file); });
  });
}

std::string example_of(const std::vector<const LabSpec*>& labs) {
  return labs.front()->folder + "/" + labs.front()->files.front();
}

void refuse_empty(const Kit& kit,
                  const std::string& name,
                  const fs::path& tree,
                  const std::vector<const LabSpec*>& labs) {
  if (holds_any(tree, labs)) return;
  std::string advice = "expected for example " + (tree / example_of(labs)).string();
  if (holds_any(tree / "starter", labs))
    advice = "did you mean --tree " + (tree / "starter").string() + "?";
  if (fs::equivalent(tree, kit.root)) advice = "did you mean --tree starter?";
  throw UsageError("\"" + name + "\" holds no file of the labs asked for; " + advice);
}

void refuse_empty(const Origin& origin,
                  const fs::path& tree,
                  const std::vector<const LabSpec*>& labs) {
  if (holds_any(tree, labs)) return;
  throw UsageError("\"" + origin.name() +
                   "\" holds no file of the labs asked for; expected for example " +
                   example_of(labs));
}

// Copies one file, if it is there. A copy that has not changed keeps its date.
bool stage_file(const fs::path& from, const fs::path& to) {
  if (!is_file(from)) {
    fs::remove(to);
    return false;
  }
  write_file(to, read_file(from));
  return true;
}

// A file that was not handed in is replaced by its stub, if the stub in starter/ is unchanged.
bool stage_stub(const Kit& kit, const LabSpec& lab, const std::string& file, const fs::path& to) {
  const fs::path stub = kit.root / "starter" / lab.folder / file;
  if (!is_file(stub)) return false;
  const auto has_its_file = [&](const StepSpec& step) {
    return step.file == file && step.has_stub();
  };
  const auto num_steps = std::ranges::count_if(lab.steps, has_its_file);
  const std::string source = read_file(stub);
  if (std::ssize(open_steps(source)) != num_steps) return false;
  write_file(to, source);
  return true;
}

bool is_untouched(const Kit& kit, const Submission& submission, const SubmittedLab& submitted) {
  const LabSpec& lab = *submitted.lab;
  if (!submitted.missing_files.empty() || submission.has_own_header(lab)) return false;
  return std::ranges::all_of(lab.files, [&](const std::string& file) {
    return read_file(submission.stage / lab.folder / file) == untouched_text(kit, lab, file);
  });
}

SubmittedLab stage_lab(const Kit& kit, const LabSpec& lab, Submission& submission) {
  SubmittedLab submitted{.lab = &lab, .has_solution = !is_closed(kit, lab)};
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
  fs::remove_all(stage / "given");  // Why: mutants have given checks of their own there
  for (const std::string& header : lab.headers) {
    const std::string path = lab.folder + "/" + header;
    if (stage_file(submission.tree / path, stage / header)) submission.file_digests[path];
  }
  if (!submitted.is_submitted) return submitted;
  for (const std::string& file : lab.files) {
    for (std::string& step : open_steps(read_file(stage / file))) {
      submitted.open_steps.push_back(std::move(step));
    }
  }
  submitted.is_untouched = is_untouched(kit, submission, submitted);
  return submitted;
}

void add_digests(Submission& submission) {
  std::vector<std::string> files;
  for (const auto& [file, digest] : submission.file_digests) files.push_back(file);
  submission.file_digests = sha256(submission.stage, files);
  submission.digest = digest_over(submission.file_digests, submission.stage / "digests");
}

}  // namespace

fs::path find_tree(const Kit& kit,
                   const std::string& tree,
                   const std::vector<const LabSpec*>& labs) {
  const fs::path folder = resolve(kit, tree);
  refuse_empty(kit, tree, folder, labs);
  return folder;
}

int Submission::num_core_stubs() const {
  int count = 0;
  for (const SubmittedLab& submitted : labs) {
    for (const StepSpec& step : submitted.lab->steps) {
      const bool is_open = std::ranges::count(submitted.open_steps, step.number) > 0;
      count += is_open && submitted.lab->is_core(step) ? 1 : 0;
    }
  }
  return count;
}

bool Submission::has_own_header(const LabSpec& lab) const {
  return std::ranges::any_of(
      lab.headers, [&](const std::string& header) { return is_file(stage / lab.folder / header); });
}

bool Submission::has_staged(const LabSpec& lab) const {
  return std::ranges::all_of(
      lab.files, [&](const std::string& file) { return is_file(stage / lab.folder / file); });
}

std::string Submission::path_of(const LabSpec& lab, const std::string& file) const {
  return (origin.is_known() ? "" : name + "/") + lab.folder + "/" + file;
}

std::string Submission::grade_option() const {
  return name == "starter" || origin.is_known() ? "" : " --tree " + shell_word(name);
}

std::string Submission::diff_arguments(const LabSpec& lab) const {
  if (!origin.is_known()) return (name == "starter" ? "" : shell_word(name) + " ") + lab.id;
  const std::string commit = origin.commit.empty() ? "" : " --commit " + shell_word(origin.commit);
  return shell_word(printable(origin.place)) + " " + lab.id + commit + " --yes";
}

std::string Submission::with_own_paths(std::string text) const {
  if (origin.is_known()) return replace_all(std::move(text), stage.string() + "/", "");
  const bool is_ours = name == "starter" || name == "solution";
  return replace_all(std::move(text), stage.string(), is_ours ? name : tree.string());
}

std::optional<std::string> utf16_error(const Submission& submission, const LabSpec& lab) {
  for (const std::string& name : lab.files) {
    const fs::path file = submission.stage / lab.folder / name;
    const std::string text = fs::exists(file) ? read_file(file) : "";
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
      return file.string() + ":1:1: error: the file is saved as UTF-16; save it as UTF-8";
  }
  return std::nullopt;
}

Submission stage_submission(const Kit& kit,
                            const std::string& tree,
                            const std::vector<const LabSpec*>& labs,
                            const fs::path& stage,
                            const Origin& origin) {
  if (origin.is_known()) refuse_empty(origin, tree, labs);
  Submission submission{.name = printable(origin.is_known() ? origin.name() : tree),
                        .tree = find_tree(kit, tree, labs),
                        .stage = stage,
                        .origin = origin};
  for (const std::string own : {"starter", "solution"}) {
    // Why: a report on the solution has to say so, however the path was written.
    if (fs::exists(kit.root / own) && fs::equivalent(submission.tree, kit.root / own)) {
      submission.name = own;
    }
  }
  for (const LabSpec* lab : labs) submission.labs.push_back(stage_lab(kit, *lab, submission));
  add_digests(submission);
  return submission;
}

Submission stage_together(const Kit& kit, const Submission& submission, const fs::path& stage) {
  const std::vector<const LabSpec*> all = kit.manifest.chosen({});
  const Submission together =
      stage_submission(kit, submission.tree.string(), all, stage, submission.origin);
  const auto can_be_linked = [&](const LabSpec* lab) {
    return std::ranges::all_of(lab->needs, [&](const std::string& needed) {
      return together.has_staged(kit.manifest.lab(needed));
    });
  };
  std::vector<const LabSpec*> incomplete = all;
  std::erase_if(incomplete, can_be_linked);
  for (const LabSpec* lab : incomplete) {
    for (const std::string& file : lab->files) fs::remove(stage / lab->folder / file);
  }
  return together;
}

}  // namespace kv::grader

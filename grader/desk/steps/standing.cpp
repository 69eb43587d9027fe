#include "grader/desk/steps/standing.h"

#include <algorithm>
#include <utility>

#include "base/kit/kit.h"
#include "base/text/errors.h"
#include "grader/desk/steps/attempts.h"
#include "grader/engine/grading/table.h"

namespace kv::grader::steps {
namespace {

std::map<std::string, std::string> digests_of(const Tree& tree, const LabSpec& lab) {
  std::vector<std::string> files = lab.files;
  files.insert(files.end(), lab.headers.begin(), lab.headers.end());
  const fs::path folder = tree.folder / lab.folder;
  std::erase_if(files, [&](const std::string& file) {
    std::error_code error;
    return !fs::is_regular_file(folder / file, error);
  });
  return sha256(folder, files);
}

// The stubs of a lab; those of a file that is not there are all unwritten.
std::vector<std::string> open_steps_of(const Tree& tree, const LabSpec& lab) {
  std::vector<std::string> open;
  std::map<std::string, std::vector<std::string>> by_file;
  for (const StepSpec& step : lab.steps) {
    std::error_code error;
    const bool is_there = fs::is_regular_file(tree.file(lab, step), error);
    if (!is_there) open.push_back(step.number);
    if (is_there && !by_file.contains(step.file))
      by_file[step.file] = open_steps(read_file(tree.file(lab, step)));
  }
  for (const auto& [file, steps] : by_file) open.insert(open.end(), steps.begin(), steps.end());
  return open;
}

bool is_open(const StepSpec& step, const std::vector<std::string>& open) {
  const auto is_left = [&](const std::string& number) {
    return std::ranges::count(open, number) > 0;
  };
  return is_left(step.number) || std::ranges::any_of(step.first_forms, [&](const auto& form) {
           return is_left(form.first);
         });
}

StepState state_of(RowKind kind) {
  switch (kind) {
    case RowKind::kNotStarted:
      return StepState::kNotWritten;
    case RowKind::kWaits:
      return StepState::kWaits;
    case RowKind::kOk:
      return StepState::kDone;
    case RowKind::kInProgress:
      return StepState::kInProgress;
    case RowKind::kWrong:
      return StepState::kWrong;
  }
  return StepState::kNotGraded;
}

StepRecord record_of(const LabResult& result, const TableRow& row) {
  if (result.state == LabState::kDoesNotCompile) return {.state = StepState::kDoesNotCompile};
  return {.state = state_of(row.kind),
          .said = row.state,
          .part = row.step == nullptr ? 0 : result.part_at_hand(*row.step),
          .core_points = row.core.points,
          .extra_points = row.extra.points};
}

LabRecord record_of(const Submission& submission, const LabResult& result) {
  const bool compiles = result.state != LabState::kDoesNotCompile;
  const StepSpec* step = compiles ? result.step_at_hand() : nullptr;
  LabRecord record{.step_at_hand = step == nullptr ? "" : step->number,
                   .error = result.message.substr(0, result.message.find('\n')),
                   .diagnosis = result.diagnosis.text};
  const std::string folder = result.lab->folder + "/";
  for (const auto& [file, digest] : submission.file_digests)
    if (file.starts_with(folder)) record.files[file.substr(folder.size())] = digest;
  for (const TableRow& row : table_of(result)) {
    if (row.step == nullptr) record.histories = record_of(result, row);
    if (row.step != nullptr) record.steps[row.step->number] = record_of(result, row);
  }
  return record;
}

}  // namespace

Tree open_tree(const Kit& kit, const std::string& name) {
  return {.name = name, .folder = find_tree(kit, name, kit.manifest.chosen({}))};
}

bool LabStanding::has(StepState state) const {
  return std::ranges::any_of(now, [&](const auto& step) { return step.second.state == state; });
}

bool LabStanding::is_untouched() const {
  return std::ranges::all_of(
      now, [](const auto& step) { return step.second.state == StepState::kNotWritten; });
}

bool LabStanding::is_core_done() const {
  const bool are_histories_done = !histories || histories->state == StepState::kDone;
  return are_histories_done && std::ranges::all_of(lab->steps, [&](const StepSpec& step) {
           return !lab->is_core(step) || state(step) == StepState::kDone;
         });
}

LabStanding standing_of(const Progress& progress, const Tree& tree, const LabSpec& lab) {
  LabStanding standing{.lab = &lab, .record = {}, .now = {}, .histories = {}};
  const LabRecord* last = progress.find(tree.folder, lab);
  if (last != nullptr && last->files == digests_of(tree, lab)) standing.record = *last;
  const std::vector<std::string> open = open_steps_of(tree, lab);
  for (const StepSpec& step : lab.steps) {
    StepRecord& now = standing.now[step.number];
    now = {.state = StepState::kNotGraded};
    if (standing.record && standing.record->steps.contains(step.number))
      now = standing.record->steps.at(step.number);
    if (is_open(step, open)) now.state = StepState::kNotWritten;
  }
  if (std::ranges::none_of(lab.tests, &TestSpec::is_history)) return standing;
  const bool is_ungraded = standing.has(StepState::kNotGraded);
  standing.histories =
      StepRecord{.state = is_ungraded ? StepState::kNotGraded : StepState::kNotWritten};
  if (standing.record && standing.record->histories)
    standing.histories = standing.record->histories;
  return standing;
}

std::vector<LabStanding> standings_of(const Kit& kit,
                                      const Tree& tree,
                                      const std::vector<const LabSpec*>& labs) {
  const Progress progress = load_progress(kit);
  std::vector<LabStanding> standings;
  for (const LabSpec* lab : labs) standings.push_back(standing_of(progress, tree, *lab));
  return standings;
}

const StepSpec* LabStanding::step_at_hand() const {
  if (record) return record->find_step_at_hand(*lab);
  for (const bool core : {true, false}) {
    for (const StepSpec& step : lab->steps) {
      const bool is_open = state(step) == StepState::kNotWritten && step.has_stub();
      if (is_open && lab->is_core(step) == core) return &step;
    }
  }
  return nullptr;
}

LabStanding lab_at_hand(const Kit& kit, const Progress& progress, const Tree& tree) {
  if (kit.manifest.labs.empty()) throw UsageError("labs/manifest.json names no lab");

  std::vector<LabStanding> open;
  for (const LabSpec& lab : kit.manifest.labs) {
    LabStanding standing = standing_of(progress, tree, lab);
    if (!standing.is_core_done()) open.push_back(std::move(standing));
  }
  if (open.empty()) return standing_of(progress, tree, kit.manifest.labs.back());

  // Why not the first: a lab that a student leaves out stays untouched.
  const auto begun = std::ranges::find_if_not(open, &LabStanding::is_untouched);
  return begun == open.end() ? open.front() : *begun;
}

void record_grading(const Kit& kit, const Submission& submission, const LabResult& result) {
  if (submission.name == "solution" || !result.is_graded()) return;
  if (submission.name == "starter") log_attempt(kit, submission, result);
  change_progress(kit, [&](Progress& progress) {
    progress.of(submission.tree, *result.lab) = record_of(submission, result);
  });
}

}  // namespace kv::grader::steps

#include "grader/desk/watch/jobs.h"

#include <algorithm>
#include <iostream>

#include "grader/desk/steps/places.h"
#include "grader/desk/watch/runner.h"
#include "grader/engine/report/grading_run.h"
#include "grader/engine/report/report.h"

namespace kv::grader::watch {
namespace {

// Empty if the file or the function is not there.
std::string function_in(const Kit& kit,
                        const LabSpec& lab,
                        const StepSpec& step,
                        const fs::path& file) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return "";
  const std::string source = read_file(file);
  const auto function = steps::find_step(kit, lab, step, source);
  return function ? join(function->lines, "\n") : "";
}

std::vector<const StepSpec*> changed_steps(const Kit& kit,
                                           const steps::Tree& tree,
                                           const LabSpec& lab) {
  std::vector<const StepSpec*> changed;
  for (const StepSpec& step : lab.steps) {
    if (!step.has_stub()) continue;
    const fs::path staged = kit.build / "stage" / lab.folder / step.file;
    if (function_in(kit, lab, step, tree.file(lab, step)) != function_in(kit, lab, step, staged))
      changed.push_back(&step);
  }
  return changed;
}

}  // namespace

const StepSpec& first_step(const Kit& kit,
                           const steps::Progress& progress,
                           const steps::Tree& tree,
                           const LabSpec& lab) {
  // After the last grading, whatever has changed since.
  const steps::LabRecord* record = progress.find(tree.folder, lab);
  const StepSpec* at_hand = record == nullptr ? nullptr : record->find_step_at_hand(lab);
  const std::vector<const StepSpec*> changed = changed_steps(kit, tree, lab);
  if (!changed.empty() && std::ranges::count(changed, at_hand) == 0) return *changed.front();
  if (at_hand == nullptr) at_hand = steps::standing_of(progress, tree, lab).step_at_hand();
  return at_hand == nullptr ? lab.steps.front() : *at_hand;
}

namespace {

void print_page(const std::string& text) {
  std::cout << text << kPageEnd << std::flush;
}

void print_remark(const std::string& remark) {
  std::cout << remark << kRemarkEnd << std::flush;
}

Submission staged(const Kit& kit,
                  const steps::Tree& tree,
                  const std::vector<const LabSpec*>& labs) {
  return stage_submission(kit, tree.name, labs, kit.build / "stage");
}

std::string findings_in(const steps::Tree& tree, const LabResult& result) {
  return findings_text(result, "./lab grade " + result.lab->id + " --all" + tree.option());
}

std::string first_page(const steps::Tree& tree, const LabResult& result, const StepSpec& step) {
  const std::string title = "lab " + result.lab->id + "  " + result.lab->title;
  return bold(title) + "\n" + table_row(row_of(result, step)) + findings_in(tree, result);
}

// The rows of the step that was tested first, of the one to work on now, and of histories that
// fail.
std::string rows_of(const LabResult& result, const StepSpec& first) {
  if (!result.was_run()) return "";
  const StepSpec* at_hand = result.step_at_hand();
  std::string rows;
  for (const TableRow& row : table_of(result)) {
    const bool is_failing_history = row.step == nullptr && row.kind == RowKind::kWaits;
    if (is_failing_history || row.step == &first || (row.step != nullptr && row.step == at_hand))
      rows += table_row(row);
  }
  return rows;
}

std::string whole_page(const Kit& kit,
                       const steps::Tree& tree,
                       const Submission& submission,
                       const LabResult& result,
                       const StepSpec& first) {
  const std::string text = lab_row(result) + rows_of(result, first) + findings_in(tree, result);
  if (result.state == LabState::kDoesNotCompile) return text;  // the error says what is next
  return text + "\n" + indent(next_lines(result, submission, kit.manifest.chosen({})), "    ");
}

}  // namespace

void grade_lab_in_pages(const Kit& kit,
                        const steps::Tree& tree,
                        const LabSpec& lab,
                        const StepSpec& first) {
  print_in_color();
  const Lock lock(kit.build);
  print_remark("compiling ...");
  const Submission submission = staged(kit, tree, {&lab});
  GradingRun run(kit, submission, {});
  const GradingStages stages = {.first_step = first.number,
                                .on_first_step = [&](const LabResult& result) {
                                  print_page(first_page(tree, result, first));
                                  print_remark("testing the other steps ...");
                                }};
  const LabResult result = run.grade(submission.labs.front(), stages);
  steps::record_grading(kit, submission, result);
  print_page(whole_page(kit, tree, submission, result, first));
}

void grade_all_in_pages(const Kit& kit, const steps::Tree& tree) {
  print_in_color();
  const Lock lock(kit.build);
  const Submission submission = staged(kit, tree, kit.manifest.chosen({}));
  GradingRun run(kit, submission, {});
  std::string rows;
  for (const SubmittedLab& submitted : submission.labs) {
    print_remark("grading lab " + submitted.lab->id + " ...");
    const LabResult result = run.grade(submitted, {});
    steps::record_grading(kit, submission, result);
    rows +=
        lab_row(result) + indent(next_lines(result, submission, kit.manifest.chosen({})), "    ");
    print_page(rows);
  }
}

void show_diff(const Kit& kit, const steps::Tree& tree, const LabSpec& lab) {
  const Outcome outcome = run({.argv = {kit.program.string(), "diff", tree.name, lab.id, "--yes"}});
  print_page(printable(outcome.output));
}

}  // namespace kv::grader::watch

#include "grader/program/student/watch/jobs.h"

#include <iostream>

#include "grader/program/student/report/color.h"
#include "grader/program/student/report/grading_run.h"
#include "grader/program/student/report/report.h"
#include "grader/program/student/watch/runner.h"

namespace kv::grader::watch {
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

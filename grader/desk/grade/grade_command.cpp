#include "grader/desk/grade/grade_command.h"

#include <algorithm>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "grader/desk/steps/standing.h"
#include "grader/engine/report/report.h"

namespace kv::grader {
namespace {

// Written after each lab, so that a run that is interrupted leaves a report. If a file cannot be
// written, the error is kept for the end of the run.
class ReportFiles {
 public:
  ReportFiles(const Kit& kit, const GradeOptions& options, const PageWriter& write_page)
      : kit_(kit), options_(options), write_page_(write_page) {}

  bool are_asked_for() const {
    return !options_.json_file.empty() || !options_.junit_file.empty() ||
           !options_.html_file.empty();
  }

  void write(const Report& report) {
    if (!are_asked_for()) return;
    try {
      if (!options_.json_file.empty()) write_json(report, options_.json_file);
      if (!options_.junit_file.empty()) write_junit(report, options_.junit_file);
      if (!options_.html_file.empty()) write_page_(kit_, shown(report), options_.html_file);
    } catch (const MachineFailed& error) {
      error_ = error.what();
    }
  }

  const std::string& error() const { return error_; }

 private:
  // Why without flags: a teacher who sends the page would send a suspicion with it.
  Report shown(Report report) const {
    if (options_.is_for_student)
      for (LabResult& lab : report.labs) lab.flags.clear();
    return report;
  }

  const Kit& kit_;
  const GradeOptions& options_;
  const PageWriter& write_page_;
  std::string error_;
};

// The points are printed first: what takes longer to find out changes none of them.
LabResult grade_and_print(const Kit& kit,
                          GradingRun& run,
                          const Submission& submission,
                          const SubmittedLab& submitted,
                          bool all_failures,
                          const std::function<void(const LabResult&)>& on_scores) {
  LabResult result = run.grade(submitted, {.on_scores = [&](const LabResult& scores) {
                                 print_lab_row(scores);
                                 on_scores(scores);
                               }});
  print_findings(result, all_failures);
  print_next(next_lines(result, submission, kit.manifest.chosen({})));
  return result;
}

// Each lab, until the time is up.
void grade_all(const Kit& kit,
               GradingRun& run,
               const GradeOptions& options,
               ReportFiles& files,
               Report& report) {
  const Submission& submission = *report.submission;
  // Why before causes are searched: what ends this program then loses no points.
  const auto write_scores = [&](const LabResult& scores) {
    Report so_far = report;
    so_far.labs.push_back(scores);
    files.write(so_far);
  };
  for (const SubmittedLab& submitted : submission.labs) {
    if (run.is_over()) break;
    report.labs.push_back(
        grade_and_print(kit, run, submission, submitted, options.all_failures, write_scores));
    steps::record_grading(kit, submission, report.labs.back());
    files.write(report);
  }
}

// Throws MachineFailed. Why at the end: the other labs have their scores.
void refuse_lack_of_library(const Report& report) {
  const auto found = std::ranges::find(report.labs, LabState::kLacksLibrary, &LabResult::state);
  if (found != report.labs.end()) throw MachineFailed(found->message);
}

void declare_grade(CommandForm& form, GradeOptions& options) {
  declare_labs(form, options.labs, "grade");
  declare_tree(form, options.tree);
  form.flag("--together", options.how.together,
            "also test your labs linked with each other; no points");
  form.flag("--sanitize", options.how.sanitize, "also run with ASan and UBSan; no points");
  form.flag("--nvcc", options.how.nvcc,
            "lab 06: also compile with nvcc, and run on a GPU if there is one; no points");
  form.flag("--second-opinion", options.how.second_opinion,
            "full points: also compare calls outside of the tests; a flag for the instructor");
  declare_seed(form, options.how.seed, "seed of the random histories; by default always the same");
  form.option("--timeout", options.how.cpu_seconds,
              "CPU seconds that a test may take, a whole number")
      .between(1, 3600);
  form.flag("--all", options.all_failures,
            "show every failing test, not only the first of each lab");
  declare_output(form, "--json", options.json_file, "write the report to this file");
  declare_output(form, "--junit", options.junit_file, "write a JUnit report to this file");
  declare_output(form, "--html", options.html_file,
                 "write the report as a page: every failure with its calls, to step through");
  // ./lab class sets these four: it grades copies, each in its time, and its pages are sent.
  form.flag("--for-student", options.is_for_student, "");
  form.hidden("--wall", options.how.wall_seconds).positive();
  form.hidden("--origin", options.origin.place);
  form.hidden("--origin-commit", options.origin.commit);
  form.flag("--strict", options.strict, "exit with 1 unless all core points are earned");
  form.footer(
      "exit codes: 0 graded, 1 --strict and points are missing, 2 wrong use or a missing tool,\n"
      "3 the kit itself is broken, or the machine refuses what it needs");
}

}  // namespace

int grade_command(const Kit& kit, const GradeOptions& options, const PageWriter& write_page) {
  if (!options.html_file.empty() && !write_page)
    throw UsageError("this program makes no pages; type it as ./lab grade --html FILE");
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.labs);
  if (options.how.nvcc && std::ranges::none_of(labs, &LabSpec::is_cuda))
    throw UsageError(
        "--nvcc is for labs in CUDA, and none of these labs is; try ./lab grade 06 --nvcc");
  const Lock lock(kit.build);
  const Submission submission =
      stage_submission(kit, options.tree, labs, kit.build / "stage", options.origin);
  print_header(submission);
  GradingRun run(kit, submission, options.how);
  Report report{.submission = &submission, .seed = run.seed()};
  ReportFiles files(kit, options, write_page);
  if (files.are_asked_for()) report.provenance = run.provenance();
  grade_all(kit, run, options, files, report);
  print_total(report);
  if (!files.error().empty()) throw UsageError(files.error());
  refuse_lack_of_library(report);
  const bool is_full = report.points(true) == report.max_points(true);
  return options.strict && !is_full ? kExitNotFull : kExitGraded;
}

void add_grade_command(CommandLine& line, const PageWriter& write_page) {
  line.add<GradeOptions>("grade", declare_grade,
                         [write_page](const Kit& kit, const GradeOptions& options) {
                           return grade_command(kit, options, write_page);
                         });
}

}  // namespace kv::grader

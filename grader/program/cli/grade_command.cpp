#include "grader/program/cli/grade_command.h"

#include <map>

#include "grader/program/base/errors.h"
#include "grader/program/grading/grade_lab.h"
#include "grader/program/grading/signatures.h"
#include "grader/program/report/report.h"

namespace kv::grader {
namespace {

// Grades the same files in another build, for information; it never changes the score.
class AdvisoryRun {
 public:
  AdvisoryRun(const Kit& kit, const Submission& submission, const BuildOptions& options)
      : kit_(kit),
        submission_(submission),
        options_(options),
        stage_(options.sanitize ? submission.stage : kit.build / "together-stage"),
        tree_(kit, options.sanitize ? "sanitized" : "together", stage_, options) {}

  void add_notes(const SubmittedLab& submitted, RunOptions run_options, LabResult& result) {
    if (result.state == LabState::kDoesNotCompile || result.state == LabState::kNotSubmitted)
      return;
    try {
      if (options_.together) submission_ = stage_together(kit_, submission_, stage_);
      if (!submission_.has_staged(*submitted.lab)) {
        return result.notes.push_back(kTogether + "not tested, as a file of them is missing");
      }
      add_result(submitted, run_options, result);
    } catch (const MachineFailed& error) {  // the score, from another build, counts
      result.notes.push_back(std::string(options_.sanitize ? "--sanitize" : "--together") +
                             " could not run: " + error.what());
    }
  }

 private:
  void add_result(const SubmittedLab& submitted, RunOptions run_options, LabResult& result) {
    tree_.configure();
    run_options.sanitized = options_.sanitize;
    LabResult other = grade_lab(kit_, tree_, submission_, submitted, run_options);
    for (TestResult& test : other.tests) {
      test.verdict.headline = submission_.with_own_paths(test.verdict.headline);
    }
    options_.sanitize ? note_findings(other, result) : note_score(other, result);
  }

  static void note_findings(const LabResult& other, LabResult& result) {
    std::map<std::string, int> num_tests;  // by finding: one bug may fail many tests
    for (const TestResult& test : other.tests) {
      if (test.verdict.status == Status::kSanitizer) ++num_tests[test.verdict.headline];
    }
    for (const auto& [finding, num] : num_tests) {
      result.notes.push_back("sanitizer, in " + std::to_string(num) + " tests: " + finding);
    }
    if (num_tests.empty()) result.notes.push_back("sanitizers: no findings");
  }

  static void note_score(const LabResult& other, LabResult& result) {
    std::string note = kTogether + std::to_string(other.points(true)) +
                       " core points, alone: " + std::to_string(result.points(true));
    if (!other.message.empty()) note += "\n" + other.message;
    if (const std::string step = unwritten_elsewhere(other, result); !step.empty()) {
      note += "\nneeds " + step + ", which is not written";
    }
    if (const auto failure = other.first_failure(); failure && !result.first_failure()) {
      note += "\n" + failure_text(other, *failure);
    }
    result.notes.push_back(note);
  }

  // The first step of another lab that a test waits for; empty if there is none.
  static std::string unwritten_elsewhere(const LabResult& other, const LabResult& result) {
    std::string first;
    for (std::size_t i = 0; i < other.tests.size(); ++i) {
      const std::string& step = other.tests[i].verdict.unwritten;
      const bool is_elsewhere = !step.empty() && step != result.tests[i].verdict.unwritten;
      if (is_elsewhere && (first.empty() || step_before(step, first))) first = step;
    }
    return first;
  }

  static inline const std::string kTogether = "together with your other labs: ";
  const Kit& kit_;
  Submission submission_;
  BuildOptions options_;
  fs::path stage_;
  BuildTree tree_;
};

// Written after each lab, so that a run that is interrupted leaves a report. If a file cannot be
// written, the error is kept for the end of the run.
class ReportFiles {
 public:
  explicit ReportFiles(const GradeOptions& options) : options_(options) {}

  void write(const Report& report) {
    try {
      if (!options_.json_file.empty()) write_json(report, options_.json_file);
      if (!options_.junit_file.empty()) write_junit(report, options_.junit_file);
    } catch (const MachineFailed& error) {
      error_ = error.what();
    }
  }

  const std::string& error() const { return error_; }

 private:
  const GradeOptions& options_;
  std::string error_;
};

}  // namespace

int grade_command(const Kit& kit, const GradeOptions& options) {
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.labs);
  const Lock lock(kit.build);
  const Submission submission = stage_submission(kit, options.tree, labs, kit.build / "stage");
  print_header(submission);
  BuildTree tree(kit, "grade", submission.stage, {});
  tree.configure();
  AdvisoryRun together(kit, submission, {.together = true});
  AdvisoryRun sanitized(kit, submission, {.sanitize = true});

  const RunOptions run_options{.seed = options.seed.value_or(kit.manifest.seed),
                               .cpu_seconds = options.cpu_seconds};
  Report report{.submission = &submission,
                .score_sheet_digest = score_sheet_digest(kit),
                .seed = run_options.seed};
  ReportFiles files(options);
  for (const SubmittedLab& submitted : submission.labs) {
    LabResult result = grade_lab(kit, tree, submission, submitted, run_options);
    result.diagnosis = diagnosis_of(load_signatures(kit, *submitted.lab), result);
    if (options.together) together.add_notes(submitted, run_options, result);
    if (options.sanitize) sanitized.add_notes(submitted, run_options, result);
    print_lab(result, submission, {.all_failures = options.all_failures});
    report.labs.push_back(std::move(result));
    files.write(report);
  }
  print_total(report);
  if (!files.error().empty()) throw UsageError(files.error());
  const bool is_full = report.points(true) == report.max_points(true);
  return options.strict && !is_full ? kExitNotFull : kExitGraded;
}

}  // namespace kv::grader

#include "grader/program/cli/grade_command.h"

#include <algorithm>
#include <map>

#include "grader/program/base/errors.h"
#include "grader/program/blame/cause.h"
#include "grader/program/desk/standing.h"
#include "grader/program/grading/grade_lab.h"
#include "grader/program/grading/locate.h"
#include "grader/program/grading/signatures.h"
#include "grader/program/nvcc/nvidia_rows.h"
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

  // Of the first failure: runs that test once more in the sanitized build, if there is one or it
  // takes a few seconds only.
  void explain_crash(RunOptions run_options, LabResult& result) {
    const auto failure = std::ranges::find_if(result.tests, &TestResult::failed);
    if (failure == result.tests.end() || failure->verdict.advice.empty()) return;
    constexpr double kPatienceSeconds = 10;
    const std::string program = "lab" + result.lab->id + "_tests";
    try {
      tree_.configure();
      if (!tree_.build(program, {}, kPatienceSeconds).ok()) return;
    } catch (const std::exception&) {
      return;  // Why: it is no part of the score.
    }
    run_options.sanitized = true;
    const Verdict again = run_test(kit_, *result.lab, tree_.program(program), *failure->spec,
                                   failure->spec->cpu_seconds, run_options)
                              .verdict;
    if (again.status != Status::kSanitizer) return;
    std::string& headline = failure->verdict.headline;
    headline =
        headline.substr(0, headline.find(": ") + 2) + submission_.with_own_paths(again.headline);
    failure->verdict.advice.clear();
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

// Grades and prints one lab after the other.
class GradingRun {
 public:
  GradingRun(const Kit& kit, const Submission& submission, const GradeOptions& options)
      : kit_(kit),
        submission_(submission),
        options_(options),
        run_options_{.seed = options.seed.value_or(kit.manifest.seed),
                     .cpu_seconds = options.cpu_seconds},
        tree_(kit, "grade", submission.stage, {}),
        together_(kit, submission, {.together = true}),
        sanitized_(kit, submission, {.sanitize = true}) {
    tree_.configure();
  }

  std::uint64_t seed() const { return run_options_.seed; }

  // The scores are printed first: what takes longer to find out changes none of them.
  LabResult grade(const SubmittedLab& submitted) {
    LabResult result = grade_lab(kit_, tree_, submission_, submitted, run_options_);
    print_scores(result);
    blame::add_causes(kit_, tree_, submission_.stage, run_options_, {}, result);
    result.diagnosis = diagnosis_of(load_signatures(kit_, *submitted.lab), result);
    locate_failures(tree_.program("lab" + submitted.lab->id + "_tests"), submission_, result);
    if (options_.together) together_.add_notes(submitted, run_options_, result);
    if (options_.sanitize) sanitized_.add_notes(submitted, run_options_, result);
    add_nvidia_rows(result);
    sanitized_.explain_crash(run_options_, result);
    print_findings(result, options_.all_failures);
    print_next(next_text(result, submission_, kit_.manifest));
    return result;
  }

 private:
  void add_nvidia_rows(LabResult& result) {
    const bool is_built =
        result.state != LabState::kDoesNotCompile && result.state != LabState::kNotSubmitted;
    if (!result.lab->is_cuda() || !is_built) return;
    if (options_.nvcc) return result.notes.push_back(nvidia_rows(kit_, tree_, submission_, result));
    if (result.state != LabState::kNotStarted) result.notes.push_back(nvidia_hint(*result.lab));
  }

  const Kit& kit_;
  const Submission& submission_;
  const GradeOptions& options_;
  RunOptions run_options_;
  BuildTree tree_;
  AdvisoryRun together_;
  AdvisoryRun sanitized_;
};

}  // namespace

int grade_command(const Kit& kit, const GradeOptions& options) {
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.labs);
  if (options.nvcc && std::ranges::none_of(labs, &LabSpec::is_cuda))
    throw UsageError(
        "--nvcc is for labs in CUDA, and none of these labs is; try ./lab grade 06 --nvcc");
  const Lock lock(kit.build);
  const Submission submission = stage_submission(kit, options.tree, labs, kit.build / "stage");
  print_header(submission);
  GradingRun run(kit, submission, options);
  Report report{
      .submission = &submission, .score_sheet_digest = score_sheet_digest(kit), .seed = run.seed()};
  ReportFiles files(options);
  for (const SubmittedLab& submitted : submission.labs) {
    report.labs.push_back(run.grade(submitted));
    desk::record_grading(kit, submission, report.labs.back());
    files.write(report);
  }
  print_total(report);
  if (!files.error().empty()) throw UsageError(files.error());
  const bool is_full = report.points(true) == report.max_points(true);
  return options.strict && !is_full ? kExitNotFull : kExitGraded;
}

}  // namespace kv::grader

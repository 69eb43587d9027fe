#pragma once
// Grades the same files in another build, for information; it never changes the score.

#include "grader/program/student/grading/grade_lab.h"

namespace kv::grader {

class AdvisoryRun {
 public:
  // options: together or sanitize.
  AdvisoryRun(const Kit& kit, const Submission& submission, const BuildOptions& options);

  void add_notes(const SubmittedLab& submitted, RunOptions run_options, LabResult& result);

  // Runs the first test that fails once more in the sanitized build, if there is one or it takes a
  // few seconds only.
  void explain_crash(RunOptions run_options, LabResult& result);

 private:
  void add_result(const SubmittedLab& submitted, RunOptions run_options, LabResult& result);

  const Kit& kit_;
  Submission submission_;
  BuildOptions options_;
  fs::path stage_;
  BuildTree tree_;
};

}  // namespace kv::grader

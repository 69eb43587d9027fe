#pragma once
// All that a report says about a lab: its scores, then what makes its tests fail.

#include <chrono>
#include <string>

#include "grader/engine/grading/grade_lab.h"

namespace kv::grader {

// Grades the same files in another build, for information; it never changes the score.
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

// A look at full points by another way: the program of the predict questions, which has no test
// framework and no channel to the grader in it, runs calls that differ for each seed. What
// it prints is compared, outside of it, with what it prints on the solution. Only what the earned
// points say is drawn: extra points that are missing are no reason to suspect anybody.

// The first script on which the two differ, as a flag; empty: they agree on all.
// tree: configured, with the student's files of this lab. result: all core points are earned.
std::string second_opinion(const Kit& kit,
                           BuildTree& tree,
                           const LabResult& result,
                           std::uint64_t seed);

// All that a report says about a lab: its scores, then what makes its tests fail.
struct GradingOptions {
  bool together = false;
  bool sanitize = false;
  bool nvcc = false;
  bool second_opinion = false;  // labs with full points get one
  std::optional<std::uint64_t> seed = {};
  std::optional<int> cpu_seconds = {};
  std::optional<int> wall_seconds = {};  // for the tests of all labs; half of it, for causes
};

// What is known before the end. None of it changes: what takes longer to find out adds to it.
struct GradingStages {
  std::string first_step = {};                               // whose tests run before all others
  std::function<void(const LabResult&)> on_first_step = {};  // the lab with these tests alone
  std::function<void(const LabResult&)> on_scores = {};      // all tests have run
};

// Grades the labs of one submission.
class GradingRun {
 public:
  GradingRun(const Kit& kit, const Submission& submission, const GradingOptions& options);

  std::uint64_t seed() const { return run_options_.seed; }
  Provenance provenance() { return provenance_of(kit_, build().folder()); }
  LabResult grade(const SubmittedLab& submitted, const GradingStages& stages);
  bool is_over() const;  // the time is up

 private:
  void refuse_in_handout() const;     // throws UsageError
  BuildTree& build();                 // set up when it is asked for the first time
  bool has_used(double share) const;  // has this share of the time passed?
  bool is_known_from_text(const SubmittedLab& submitted) const;
  LabResult grade_built(const SubmittedLab& submitted, const GradingStages& stages);
  LabResult run_tests_of(const SubmittedLab& submitted, const GradingStages& stages);
  void add_second_opinion(LabResult& result);
  void add_nvidia_rows(LabResult& result);

  const Kit& kit_;
  const Submission& submission_;
  GradingOptions options_;
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  RunOptions run_options_;
  BuildTree tree_;
  bool is_configured_ = false;
  AdvisoryRun together_;
  AdvisoryRun sanitized_;
};

}  // namespace kv::grader

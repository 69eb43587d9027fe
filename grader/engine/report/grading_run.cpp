#include "grader/engine/report/grading_run.h"

#include "base/kit/closed_labs.h"
#include "grader/engine/cause/cause.h"
#include "grader/engine/gpu/nvidia_rows.h"
#include "grader/engine/grading/locate.h"
#include "grader/engine/grading/signatures.h"

namespace kv::grader {

// How much of the time may be over when causes are searched: tests give points, causes none.
constexpr double kShareForCauses = 0.5;

GradingRun::GradingRun(const Kit& kit, const Submission& submission, const GradingOptions& options)
    : kit_(kit),
      submission_(submission),
      options_(options),
      run_options_{.seed = options.seed.value_or(kit.manifest.seed),
                   .cpu_seconds = options.cpu_seconds},
      tree_(kit, "grade", submission.stage, {}),
      together_(kit, submission, {.together = true}),
      sanitized_(kit, submission, {.sanitize = true}) {
  if (options.wall_seconds)
    run_options_.deadline = started_ + std::chrono::seconds(*options.wall_seconds);
  refuse_in_handout();
}

bool GradingRun::has_used(double share) const {
  const std::chrono::duration<double> used = std::chrono::steady_clock::now() - started_;
  return options_.wall_seconds && used.count() >= share * *options_.wall_seconds;
}

bool GradingRun::is_over() const {
  return run_options_.is_over();
}

BuildTree& GradingRun::build() {
  if (!is_configured_) tree_.configure();
  is_configured_ = true;
  return tree_;
}

// A closed lab consists of objects, made for one system, one kind of build and the kit's headers.
void GradingRun::refuse_in_handout() const {
  for (const SubmittedLab& submitted : submission_.labs) {
    const LabSpec& lab = *submitted.lab;
    const std::vector<const LabSpec*> closed = closed_labs(kit_, lab);
    if (closed.empty()) continue;
    if (submission_.name == "solution") refuse_closed(kit_, lab, "./lab grade --tree solution");
    if (options_.sanitize) refuse_closed(kit_, lab, "./lab grade --sanitize");
    if (lab.needs.size() > 0 && submission_.has_own_header(lab))
      refuse_closed(kit_, lab, "your own copy of a header of lab " + lab.id);
    for (const LabSpec* other : closed) refuse_other_system(kit_, *other);
  }
}

// What other builds say about a lab is not known from its text.
bool GradingRun::is_known_from_text(const SubmittedLab& submitted) const {
  return submitted.is_untouched && !options_.together && !options_.sanitize && !options_.nvcc;
}

LabResult GradingRun::grade(const SubmittedLab& submitted, const GradingStages& stages) {
  if (!is_known_from_text(submitted)) return grade_built(submitted, stages);
  LabResult result = not_started_lab(submitted);
  if (stages.on_scores) stages.on_scores(result);
  return result;
}

LabResult GradingRun::grade_built(const SubmittedLab& submitted, const GradingStages& stages) {
  LabResult result = run_tests_of(submitted, stages);
  add_second_opinion(result);
  if (stages.on_scores) stages.on_scores(result);
  if (result.state == LabState::kLacksLibrary) return result;
  if (has_used(kShareForCauses)) {
    result.cause_search = "not searched: the tests of the other labs need the time";
    return result;
  }
  cause::add_causes(kit_, tree_, submission_.stage, run_options_, {}, result);
  const bool has_source = closed_labs(kit_, *submitted.lab).empty();
  result.diagnosis = diagnosis_of(load_signatures(kit_, *submitted.lab), result,
                                  has_source ? Causes::kSearched : Causes::kNotSearched);
  locate_failures(tree_.program("lab" + submitted.lab->id + "_tests"), submission_, result);
  explain_slow_calls(result);
  if (options_.together) together_.add_notes(submitted, run_options_, result);
  if (options_.sanitize) sanitized_.add_notes(submitted, run_options_, result);
  add_nvidia_rows(result);
  if (has_source) sanitized_.explain_crash(run_options_, result);
  return result;
}

LabResult GradingRun::run_tests_of(const SubmittedLab& submitted, const GradingStages& stages) {
  RunOptions options = run_options_;
  options.first_step = stages.first_step;
  if (stages.on_first_step) {
    options.on_first_step = [&](const std::vector<TestResult>& tests) {
      LabResult result{.lab = submitted.lab, .state = LabState::kInProgress};
      result.open_steps = submitted.open_steps;
      result.tests = tests;
      stages.on_first_step(result);
    };
  }
  return grade_lab(kit_, build(), submission_, submitted, options);
}

void GradingRun::add_second_opinion(LabResult& result) {
  if (!options_.second_opinion || result.state != LabState::kDone) return;
  const std::string flag = second_opinion(kit_, tree_, result, run_options_.seed);
  if (!flag.empty()) result.flags.push_back(flag);
}

void GradingRun::add_nvidia_rows(LabResult& result) {
  if (!result.lab->is_cuda() || !result.was_run()) return;
  if (options_.nvcc) return result.notes.push_back(nvidia_rows(kit_, tree_, submission_, result));
  if (result.state != LabState::kNotStarted) result.notes.push_back(nvidia_hint(*result.lab));
}

}  // namespace kv::grader

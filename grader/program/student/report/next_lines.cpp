#include <algorithm>

#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/student/report/report.h"

namespace kv::grader {
namespace {

std::string place_of(const StepSpec& step, const LabResult& lab, const Submission& submission) {
  return "step " + step.heading() + " in " + submission.path_of(*lab.lab, step.file);
}

// Names the place of the first error, if the message begins with it.
std::string after_error(const LabResult& lab, const Submission& submission) {
  const std::string place = lab.message.substr(0, lab.message.find(": error: "));
  const bool is_place = place.size() < lab.message.size() && place.find('\n') == std::string::npos;
  return "next: fix " + (is_place ? place : "this error") + ", then ./lab grade " + lab.lab->id +
         submission.grade_option() + "\n";
}

const SubmittedLab* submitted_lab(const Submission& submission, const LabSpec& lab) {
  const auto found = std::ranges::find(submission.labs, &lab, &SubmittedLab::lab);
  return found == submission.labs.end() ? nullptr : &*found;
}

// Is the lab written, as far as its files have been read?
bool is_written(const LabSpec& lab, const Submission& submission) {
  const SubmittedLab* found = submitted_lab(submission, lab);
  return found != nullptr && found->is_submitted &&
         std::ranges::none_of(lab.steps, [&](const StepSpec& step) {
           return lab.is_core(step) && std::ranges::count(found->open_steps, step.number) > 0;
         });
}

// The lab that comes after this one, if it is to be written. Its own lines say what is wrong in one
// that is written.
const LabSpec* lab_to_write_after(const LabResult& lab,
                                  const Submission& submission,
                                  const std::vector<const LabSpec*>& labs) {
  const auto next =
      std::ranges::find_if(labs, [&](const LabSpec* other) { return other->id > lab.lab->id; });
  return next == labs.end() || is_written(**next, submission) ? nullptr : *next;
}

std::string after_done(const LabResult& lab,
                       const Submission& submission,
                       const std::vector<const LabSpec*>& labs) {
  if (submission.name == "solution") return "";
  const SubmittedLab* submitted = submitted_lab(submission, *lab.lab);
  const bool is_closed = submitted != nullptr && !submitted->has_solution;
  const std::string when = is_closed ? kWhenOpen : "";
  std::string text = "compare: " + when + "./lab diff " + submission.diff_arguments(*lab.lab) +
                     ", then read labs/" + lab.lab->folder + "/README.md, \"" + kComparisonHeading +
                     "\"\n";
  if (const LabSpec* next = lab_to_write_after(lab, submission, labs)) {
    text += "next lab: labs/" + next->folder + "/README.md\n";
  }
  return text;
}

// "write part 3, Hits, of step 4.6 allocate_slots in starter/...", or fix.
std::string after_failure(const LabResult& lab,
                          const TestResult& failure,
                          const Submission& submission) {
  if (failure.spec->is_history() && !failure.cause)
    return "next: find the step in the calls above: each one passes its own tests\n";
  const StepSpec& step = lab.step_to_fix(failure);
  const std::size_t part = lab.part_at_hand(step);
  const bool is_new =
      part > 0 ? !lab.has_begun(step, part) : row_of(lab, step).kind == RowKind::kNotStarted;
  return std::string(is_new ? "next: write " : "next: fix ") +
         (part > 0 ? step.part_name(part) + ", of " : "") + place_of(step, lab, submission) + "\n";
}

}  // namespace

std::string next_lines(const LabResult& lab,
                       const Submission& submission,
                       const std::vector<const LabSpec*>& labs) {
  if (lab.state == LabState::kNotSubmitted) return "";
  if (lab.state == LabState::kDoesNotCompile) return after_error(lab, submission);
  if (const auto failure = lab.first_failure()) return after_failure(lab, *failure, submission);
  const StepSpec* step = lab.step_at_hand();
  const bool is_done = lab.state == LabState::kDone;
  std::string text = is_done ? after_done(lab, submission, labs) : "";
  if (step == nullptr) return text;
  if (lab.state == LabState::kNotStarted) {
    text += "first read  labs/" + lab.lab->folder + "/README.md  (the lab takes " + lab.lab->hours +
            " hours)\n";
  }
  const std::string what = is_done ? "or write the extra " : "next: write ";
  return text + what + place_of(*step, lab, submission) + "\n";
}

}  // namespace kv::grader

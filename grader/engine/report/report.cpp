#include "grader/engine/report/report.h"

#include <algorithm>

#include "base/kit/closed_labs.h"

namespace kv::grader {
namespace {

// "step 2.4 free_blocks; fails through 2.2", if the cause is not in the test's own step.
std::string step_of(const LabResult& lab, const TestResult& test) {
  const StepSpec& step = lab.lab->step(test.spec->step);
  std::string text = test.spec->is_history() ? "random histories" : "step " + step.heading();
  if (test.spec->part > 0) text += ", " + step.part_name(test.spec->part);
  const std::string place = lab.fails_through(test);
  return text + (place.empty() ? "" : "; fails through " + place);
}

// Names the step that the end of the report says is to be fixed: of steps that one step rewrites
// together, a cause is all of them.
std::string cause_of(const LabResult& lab, const TestResult& test) {
  const StepSpec& to_fix = lab.step_to_fix(test);
  for (const StepSpec& step : lab.lab->steps) {
    if (!step.first_forms.contains(to_fix.number)) continue;
    return replace_all(test.cause->text, "step " + step.heading(),
                       "step " + to_fix.heading() + ", which step " + step.number + " rewrites");
  }
  return test.cause->text;
}

}  // namespace

FailureParts failure_parts(const LabResult& lab, const TestResult& test) {
  const StepSpec& step = lab.lab->step(test.spec->step);
  const std::string folder = "labs/" + lab.lab->folder;
  const bool is_first = test.failed() && lab.failures().front()->spec == test.spec;
  std::string heading = test.verdict.heading.empty() ? step.heading() : test.verdict.heading;
  if (is_first && !lab.diagnosis.heading.empty()) heading = lab.diagnosis.heading;
  if (test.cause && !test.cause->heading.empty()) heading = test.cause->heading;
  if (const StepSpec* costly = lab.costly_step(test)) heading = costly->heading();
  std::string cause = is_first ? lab.cause_search : "";
  if (test.cause) cause = cause_of(lab, test);
  return {.step = step_of(lab, test),
          .spec = test.verdict.spec,
          .wrong = test.verdict.headline,
          .cause = cause,
          .diagnosis = is_first ? lab.diagnosis.text : "",
          .read = folder + "/README.md, \"" + heading + "\"",
          .hint = folder + "/HINTS.md, \"" + heading + "\", tier 1"};
}

std::string failure_text(const LabResult& lab, const TestResult& test) {
  const Verdict& verdict = test.verdict;
  if (verdict.status == Status::kNotStarted || verdict.status == Status::kNotRun)
    return verdict.headline;
  const FailureParts parts = failure_parts(lab, test);
  std::string text = test.spec->name + "  (" + parts.step + ")\n";
  if (!parts.spec.empty()) text += "this test checks: " + parts.spec + "\n";
  const std::string story = verdict.story.text();
  if (!story.empty()) text += "what the test did:\n" + indent(story, "  ");
  text += "what went wrong: " + parts.wrong + "\n";
  if (!verdict.advice.empty()) text += verdict.advice + "\n";
  if (!test.printed.empty()) text += "your code printed:\n" + indent(test.printed, "  ");
  if (!verdict.source.empty()) text += "test: " + verdict.source + "\n";
  if (!parts.cause.empty()) text += "cause: " + parts.cause + "\n";
  if (!parts.diagnosis.empty()) text += parts.diagnosis + "\n";
  return text + "read: " + parts.read + "\nstuck? " + parts.hint;
}

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
  if (!lab.lab->use.empty()) text += "use it: " + lab.lab->use + "\n";
  if (const LabSpec* next = lab_to_write_after(lab, submission, labs)) {
    text += "next lab: labs/" + next->folder + "/README.md\n";
  }
  return text;
}

// "write part 3, Hits, of step 4.6 allocate_slots in starter/...", or fix.
std::string what_fails(const LabResult& lab,
                       const TestResult& failure,
                       const Submission& submission) {
  if (failure.spec->is_history() && !failure.cause)
    return "find the step in the calls above: each one passes its own tests\n";
  const StepSpec& step = lab.step_to_fix(failure);
  const std::size_t part = lab.part_at_hand(step);
  const bool is_new =
      part > 0 ? !lab.has_begun(step, part) : row_of(lab, step).kind == RowKind::kNotStarted;
  return std::string(is_new ? "write " : "fix ") +
         (part > 0 ? step.part_name(part) + ", of " : "") + place_of(step, lab, submission) + "\n";
}

}  // namespace

std::string next_lines(const LabResult& lab,
                       const Submission& submission,
                       const std::vector<const LabSpec*>& labs) {
  if (!lab.is_graded()) return "";
  if (lab.state == LabState::kDoesNotCompile) return after_error(lab, submission);
  const bool is_done = lab.state == LabState::kDone;
  std::string text = is_done ? after_done(lab, submission, labs) : "";
  if (const auto failure = lab.first_failure())
    return text + (is_done ? "or, for extra points: " : "next: ") +
           what_fails(lab, *failure, submission);
  const StepSpec* step = lab.step_at_hand();
  if (step == nullptr) return text;
  if (lab.state == LabState::kNotStarted) {
    text += "first read  labs/" + lab.lab->folder + "/README.md  (the lab takes " + lab.lab->hours +
            " hours)\n";
  }
  const std::string what = is_done ? "or write the extra " : "next: write ";
  return text + what + place_of(*step, lab, submission) + "\n";
}

}  // namespace kv::grader

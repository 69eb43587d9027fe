#include "grader/engine/grading/results.h"

#include <algorithm>
#include <array>
#include <functional>

#include "grader/engine/grading/source_lines.h"
#include "grader/harness/cost.h"

namespace kv::grader {

const char* state_name(LabState state) {
  constexpr std::array kNames = {"done",          "in progress",
                                 "not started",   "does not compile",
                                 "not submitted", "cannot be graded"};
  return kNames.at(static_cast<std::size_t>(state));
}

bool Cause::is_in(const std::string& step) const {
  return std::ranges::count(steps, step) > 0 || heading.starts_with(step + " ");
}

bool TestResult::failed() const {
  return verdict.status != Status::kPass && verdict.status != Status::kNotStarted &&
         verdict.status != Status::kNotRun;
}

bool LabResult::was_run() const {
  return state == LabState::kDone || state == LabState::kInProgress ||
         state == LabState::kNotStarted;
}

bool LabResult::is_graded() const {
  return was_run() || state == LabState::kDoesNotCompile;
}

const StepSpec* LabResult::step_at_hand() const {
  if (const auto failure = first_failure()) return &step_to_fix(*failure);
  const auto has_open_tests = [&](const StepSpec& step) {
    return std::ranges::any_of(tests, [&](const TestResult& test) {
      return test.spec->step == step.number && test.verdict.status != Status::kPass;
    });
  };
  // Why these first: a step that is written and waits for another one is right as it is.
  const auto is_missing = [&](const StepSpec& step) {
    return has_open_tests(step) && (is_open(step) || !step.has_stub());
  };
  auto found = std::ranges::find_if(lab->steps, is_missing);
  if (found == lab->steps.end()) found = std::ranges::find_if(lab->steps, has_open_tests);
  return found == lab->steps.end() ? nullptr : &*found;
}

bool LabResult::is_blamed(const StepSpec& step) const {
  // Why: until the later step is written, such a step is right as it is.
  if (lab->is_rewritten(step) && tally(step, true).all_pass && tally(step, false).all_pass)
    return false;
  return std::ranges::any_of(
      tests, [&](const TestResult& test) { return test.cause && test.cause->is_in(step.number); });
}

// The complaint begins with the call: "remove() ran 100,023 basic blocks with ...". Why not the
// cause alone: of steps that one step rewrites together, it is all of them.
const StepSpec* LabResult::costly_step(const TestResult& test) const {
  const std::string& complaint = test.verdict.headline;
  const bool is_about_cost = test.verdict.status == Status::kFail && test.spec->group == "cost" &&
                             complaint.ends_with(kMustNotGrow);
  if (!is_about_cost) return nullptr;
  const std::string call = complaint.substr(0, complaint.find('('));
  const auto found = std::ranges::find_if(lab->steps, [&](const StepSpec& step) {
    return short_name(step.name) == call && step.file == lab->step(test.spec->step).file &&
           (!test.cause || test.cause->is_in(step.number));
  });
  return found == lab->steps.end() ? nullptr : &*found;
}

const StepSpec& LabResult::step_to_fix(const TestResult& test) const {
  if (const StepSpec* costly = costly_step(test)) return *costly;
  const auto found = std::ranges::find_if(lab->steps, [&](const StepSpec& step) {
    return test.cause && test.cause->is_in(step.number) && is_blamed(step);
  });
  return found == lab->steps.end() ? lab->step(test.spec->step) : *found;
}

bool LabResult::is_open(const StepSpec& step) const {
  return std::ranges::count(open_steps, step.number) > 0;
}

namespace {

StepTally tally_of(const std::vector<TestResult>& tests,
                   const std::function<bool(const TestSpec&)>& is_counted) {
  StepTally tally;
  for (const TestResult& test : tests) {
    if (!is_counted(*test.spec)) continue;
    tally.points += test.points();
    tally.max_points += test.spec->max_points;
    tally.all_pass &= test.verdict.status == Status::kPass;
  }
  return tally;
}

}  // namespace

StepTally LabResult::tally(const StepSpec& step, bool core) const {
  return tally_of(tests, [&](const TestSpec& test) {
    return test.step == step.number && test.is_core == core && !test.is_history();
  });
}

StepTally LabResult::history_tally(bool core) const {
  return tally_of(tests,
                  [&](const TestSpec& test) { return test.is_history() && test.is_core == core; });
}

std::string LabResult::fails_through(const TestResult& test) const {
  const std::string& own = test.spec->step;
  if (const StepSpec* costly = costly_step(test))
    return costly->number == own ? "" : costly->number;
  const bool is_elsewhere = test.cause && (test.spec->is_history() || !test.cause->is_in(own));
  return is_elsewhere ? test.cause->place : "";
}

std::size_t LabResult::part_at_hand(const StepSpec& step) const {
  const auto is_open_part = [&](const TestResult& test) {
    return test.spec->step == step.number && test.spec->part > 0 &&
           test.verdict.status != Status::kPass;
  };
  const auto found = std::ranges::find_if(tests, is_open_part);
  return found == tests.end() ? 0 : found->spec->part;
}

bool LabResult::has_begun(const StepSpec& step, std::size_t part) const {
  return part == 1 || std::ranges::any_of(tests, [&](const TestResult& test) {
           return test.spec->step == step.number && test.spec->part >= part &&
                  test.verdict.status == Status::kPass;
         });
}

bool LabResult::waits_for_part(const TestResult& test) const {
  return test.spec->part > part_at_hand(lab->step(test.spec->step));
}

int LabResult::points(bool core) const {
  int sum = 0;
  for (const TestResult& test : tests) sum += test.spec->is_core == core ? test.points() : 0;
  return sum;
}

std::vector<const TestResult*> LabResult::failures() const {
  std::vector<const TestResult*> failures;
  for (const TestResult& test : tests) {
    if (test.failed()) failures.push_back(&test);
  }
  if (failures.empty()) return failures;
  const auto reason =
      std::ranges::find(failures, failures.front()->explained_by, &TestResult::spec);
  if (reason != failures.end()) std::rotate(failures.begin(), reason, reason + 1);
  return failures;
}

std::optional<TestResult> LabResult::first_failure() const {
  const std::vector<const TestResult*> all = failures();
  return all.empty() ? std::nullopt : std::optional(*all.front());
}

int Report::points(bool core) const {
  int sum = 0;
  for (const LabResult& lab : labs) sum += lab.points(core);
  return sum;
}

int Report::max_points(bool core) const {
  int sum = 0;
  for (const LabResult& lab : labs) sum += lab.lab->max_points(core);
  return sum;
}

}  // namespace kv::grader

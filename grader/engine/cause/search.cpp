#include "grader/engine/cause/search.h"

#include <algorithm>
#include <array>

#include "base/process/parallel.h"
#include "grader/engine/cause/cause.h"

namespace kv::grader::cause {
namespace {

// A run that takes this much longer than the solution hangs.
constexpr double kSolutionTimes = 10;
constexpr double kLeastCpuSeconds = 0.1;
constexpr double kQuickSeconds = 0.05;  // a slower test is no quick one

// A system takes no longer variable of the environment than twice this.
constexpr std::size_t kMaxHistoryBytes = 64 * 1024;

}  // namespace

double Search::seconds_left() const {
  const double seconds = budget_ - spent_;
  if (seconds <= 0) throw OutOfTime{};
  return seconds;
}

// Why not +=: libc++ has none for a double before version 18.
void Search::charge(double seconds) {
  double spent = spent_;
  while (!spent_.compare_exchange_weak(spent, spent + seconds)) {
  }
}

Search::Functions Search::all_but(const Units& units) const {
  Functions functions = program_.functions();
  for (const Unit& unit : units) {
    for (const std::string& function : unit.functions) functions.erase(function);
  }
  return functions;
}

// Why processor time: on a busy machine the search finds the same. A run that only waits, until
// the wall clock stops it, is charged for that time: it has no other end.
Outcome Search::run(const std::string& filter,
                    const Functions& from_student,
                    double cpu_seconds,
                    const RunOptions& options) {
  const double allowed = std::min(cpu_seconds, seconds_left());
  Outcome outcome = program_.run(filter, from_student, allowed, options);
  const bool has_waited = outcome.timed_out && outcome.seconds < allowed / 2;
  charge(has_waited ? Limits{.cpu_seconds = allowed}.wall_seconds() : outcome.seconds);
  if (outcome.timed_out && allowed < cpu_seconds) throw OutOfTime{};
  return outcome;
}

// Runs a test; if it is a history, only the calls that fail, as they were found.
Outcome Search::run(const TestResult& test, const Functions& from_student, double cpu_seconds) {
  RunOptions options = options_;
  const std::string& history = test.verdict.history;
  if (!history.empty() && history.size() < kMaxHistoryBytes)
    options.environment["KV_HISTORY"] = history;
  return run(test.spec->name, from_student, cpu_seconds, options);
}

static bool is_pass(const Outcome& outcome, const TestResult& test) {
  return judge(outcome, test.spec->name, false).status == Status::kPass;
}

bool Search::passes(const TestResult& test, const Functions& from_student, double cpu_seconds) {
  return is_pass(run(test, from_student, cpu_seconds), test);
}

Units Search::suspects(const TestResult& test, std::span<const Unit> units, double cpu_seconds) {
  std::vector<char> fails(units.size());  // Why not bool: threads write neighbors
  in_parallel(units.size(),
              [&](std::size_t i) { fails[i] = !passes(test, units[i].functions, cpu_seconds); });
  Units suspects;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (fails[i] != 0) suspects.push_back(units[i]);
  }
  return suspects;
}

bool Search::explains(const Units& units, const TestResult& test, double cpu_seconds) {
  return passes(test, all_but(units), cpu_seconds);
}

// The tests that passed. Why only quick ones: the others, histories among them, take most of the
// time of a lab.
static std::vector<const TestResult*> quick_passed(const LabResult& result, bool is_core) {
  std::vector<const TestResult*> passed;
  for (const TestResult& test : result.tests) {
    const bool is_quick = test.seconds < kQuickSeconds && test.spec->group == "step";
    if (test.verdict.status == Status::kPass && is_quick && test.spec->is_core == is_core)
      passed.push_back(&test);
  }
  return passed;
}

bool Search::pass_all(const std::vector<const TestResult*>& tests, const Units& units) {
  std::vector<std::string> names;
  for (const TestResult* test : tests) names.push_back(test->spec->name);
  return pass_together(names, [&](const std::string& filter) {
    return run(filter, all_but(units), seconds_left(), options_).ok();
  });
}

// An extra test may pass for the fault alone: without it, it comes to a step that is not written.
bool Search::breaks_nothing(const Units& units) {
  if (!pass_all(quick_passed(result_, true), units)) return false;
  const std::vector<const TestResult*> extra = quick_passed(result_, false);
  if (pass_all(extra, units)) return true;
  return std::ranges::all_of(extra, [&](const TestResult* test) {
    const Outcome outcome = run(*test, all_but(units), seconds_left());
    const Status status = judge(outcome, test->spec->name, false).status;
    return status == Status::kPass || status == Status::kNotStarted;
  });
}

// The step of the test, the steps before it, the nearest first, then the others in their order.
static Units likely_first(const LabSpec& lab, const TestResult& test, Units units) {
  const auto number_of = [&](const std::string& step) {
    return std::ranges::find(lab.steps, step, &StepSpec::number) - lab.steps.begin();
  };
  const auto own = number_of(test.spec->step);
  const auto distance = [&](const Unit& unit) {
    const auto num_steps = std::ssize(lab.steps);
    if (unit.steps.empty()) return 2 * num_steps;
    const auto step = number_of(unit.steps.front());
    return step <= own ? own - step : num_steps + step;
  };
  std::ranges::stable_sort(units, {}, distance);
  return units;
}

// units: the likeliest first. Why that one alone at first: most often it is the cause, and then no
// other has to run.
Units Search::new_cause(const TestResult& test, std::span<const Unit> units, double cpu_seconds) {
  const auto is_cause = [&](const Units& set) {
    return explains(set, test, cpu_seconds) && breaks_nothing(set);
  };
  Units among;
  for (const auto some : {units.first(1), units.subspan(1)}) {
    for (const Unit& one : suspects(test, some, cpu_seconds)) {
      if (is_cause({one})) return {one};
      among.push_back(one);
    }
  }
  for (std::size_t i = 0; i < among.size(); ++i) {
    for (std::size_t j = i + 1; j < among.size(); ++j) {
      if (is_cause({among[i], among[j]})) return {among[i], among[j]};
    }
  }
  return {};
}

Units Search::cause_of(const TestResult& test, const Units& units) {
  const Outcome of_solution = run(test, {}, budget_);
  if (!is_pass(of_solution, test)) return {};
  const double cpu_seconds = kSolutionTimes * of_solution.seconds + kLeastCpuSeconds;
  // Why not run it again: it would be stopped. Of a history, most of the time was not for its
  // calls.
  const bool takes_too_long = test.verdict.history.empty() && test.seconds > cpu_seconds;
  if (!takes_too_long && explains({}, test, cpu_seconds)) return {};
  for (const Units& cause : found_) {
    if (explains(cause, test, cpu_seconds)) return cause;
  }
  const Units cause = new_cause(test, likely_first(*result_.lab, test, units), cpu_seconds);
  if (cause.empty()) return {};
  Units in_order = units;
  std::erase_if(in_order, [&](const Unit& unit) {
    return std::ranges::find(cause, unit.name, &Unit::name) == cause.end();
  });
  found_.push_back(in_order);
  return in_order;
}

bool pass_together(const std::vector<std::string>& tests,
                   const std::function<bool(const std::string& filter)>& passes) {
  std::array<std::vector<std::string>, 4> parts;
  for (std::size_t i = 0; i < tests.size(); ++i) parts[i % parts.size()].push_back(tests[i]);
  std::atomic<bool> all_pass = true;
  in_parallel(parts.size(), [&](std::size_t i) {
    if (!parts[i].empty() && all_pass && !passes(join(parts[i], ":"))) all_pass = false;
  });
  return all_pass;
}

}  // namespace kv::grader::cause

#include "grader/engine/cause/cause.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <set>
#include <span>

#include "base/kit/closed_labs.h"
#include "base/process/parallel.h"
#include "base/text/errors.h"
#include "grader/engine/cause/mixed_program.h"

namespace kv::grader::cause {
namespace {

// A run that takes this much longer than the solution hangs.
constexpr double kSolutionTimes = 10;
constexpr double kLeastCpuSeconds = 0.1;
constexpr double kQuickSeconds = 0.05;  // a slower test is no quick one

// A system takes no longer variable of the environment than twice this.
constexpr std::size_t kMaxHistoryBytes = 64 * 1024;

struct OutOfTime {};

using Units = std::vector<Unit>;

class Search {
 public:
  Search(const MixedProgram& program,
         const LabResult& result,
         const RunOptions& options,
         double cpu_seconds)
      : program_(program), result_(result), options_(options), budget_(cpu_seconds) {}

  // Empty if no set of units explains the failure. Throws OutOfTime.
  Units cause_of(const TestResult& test, const Units& units);

 private:
  using Functions = std::set<std::string>;

  // Everything is the student's except these units.
  Functions all_but(const Units& units) const;
  Outcome run(const std::string& filter,
              const Functions& from_student,
              double cpu_seconds,
              const RunOptions& options);
  Outcome run(const TestResult& test, const Functions& from_student, double cpu_seconds);
  bool passes(const TestResult& test, const Functions& from_student, double cpu_seconds);
  Units suspects(const TestResult& test, std::span<const Unit> units, double cpu_seconds);
  bool explains(const Units& units, const TestResult& test, double cpu_seconds);
  bool breaks_nothing(const Units& units);
  Units new_cause(const TestResult& test, std::span<const Unit> units, double cpu_seconds);
  double seconds_left() const;
  void charge(double seconds);

  const MixedProgram& program_;
  const LabResult& result_;
  RunOptions options_;
  double budget_;                  // processor time
  std::atomic<double> spent_ = 0;  // processor time so far; threads add to it
  std::vector<Units> found_ = {};
};

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

bool is_pass(const Outcome& outcome, const TestResult& test) {
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

// An extra test may do that if its step fails another one: the fault hides what is not written.
bool may_pass_for_the_fault(const LabResult& result, const TestResult& test) {
  return !test.spec->is_core && std::ranges::any_of(result.tests, [&](const TestResult& other) {
    return !other.spec->is_core && other.spec->step == test.spec->step && other.failed();
  });
}

// Why only quick tests: the others, histories among them, take most of the time of a lab.
bool Search::breaks_nothing(const Units& units) {
  std::vector<std::string> passed;
  for (const TestResult& test : result_.tests) {
    const bool is_quick = test.seconds < kQuickSeconds && test.spec->group == "step";
    if (test.verdict.status == Status::kPass && is_quick && !may_pass_for_the_fault(result_, test))
      passed.push_back(test.spec->name);
  }
  return pass_together(passed, [&](const std::string& filter) {
    return run(filter, all_but(units), seconds_left(), options_).ok();
  });
}

// The step of the test, the steps before it, the nearest first, then the others in their order.
Units likely_first(const LabSpec& lab, const TestResult& test, Units units) {
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

// Units in the order of their steps, given functions last.
Cause described(const Units& units) {
  std::vector<std::string> steps, places, names;
  for (const Unit& unit : units) {
    steps.insert(steps.end(), unit.steps.begin(), unit.steps.end());
    places.push_back(unit.steps.empty() ? unit.name
                                        : unit.heading.substr(0, unit.heading.find(' ')));
    names.push_back(unit.name);
  }
  return {.steps = steps,
          .place = join(places, " and "),
          .heading = units.front().heading,
          .text = join(names, " and ") + " (with the kit's " +
                  (units.size() == 1 ? "version of it" : "versions of both") +
                  " this test passes)"};
}

// The failing tests: the first one of each row of the report, which says what that row fails
// through, then the others.
std::vector<TestResult*> in_order_of_use(LabResult& result) {
  std::set<std::pair<std::string, bool>> rows;
  std::vector<TestResult*> first, others;
  for (TestResult& test : result.tests) {
    if (!test.failed()) continue;
    const bool is_new = rows.insert({test.spec->step, test.spec->is_history()}).second;
    (is_new ? first : others).push_back(&test);
  }
  first.insert(first.end(), others.begin(), others.end());
  return first;
}

}  // namespace

void add_causes(const MixedProgram& program,
                const std::vector<Unit>& units,
                const RunOptions& options,
                const SearchOptions& how,
                LabResult& result) {
  Search search(program, result, options, how.cpu_seconds);
  try {
    for (TestResult* test : in_order_of_use(result)) {
      const Units cause = search.cause_of(*test, units);
      if (!cause.empty()) test->cause = described(cause);
      if (how.first_only) return;
    }
  } catch (const OutOfTime&) {
    result.cause_search =
        "not found in " + std::to_string(how.cpu_seconds) +
        " seconds of processor time; look at the last call above, then at the steps that it calls";
  }
}

void add_causes(const Kit& kit,
                BuildTree& tree,
                const fs::path& student,
                const RunOptions& options,
                const SearchOptions& how,
                LabResult& result) {
  const LabSpec& lab = *result.lab;
  const bool is_built = result.state == LabState::kInProgress || result.state == LabState::kDone;
  if (!closed_labs(kit, lab).empty()) return;
  if (!is_built || !result.first_failure()) return;
  if (lab.is_cuda()) return add_causes_of_findings(student, result);
  if (!kCanMix) {
    result.cause_search = "not searched: this system's linker cannot exchange single functions";
    return;
  }
  if (!can_be_mixed(kit, lab, student)) return;
  const std::vector<Unit> units = changed_units(kit, lab, student);
  if (units.empty()) return;
  try {
    const auto program = MixedProgram::build(kit, tree, student, lab);
    if (program) add_causes(*program, units, options, how, result);
  } catch (const MachineFailed& error) {
    result.cause_search = std::string("not searched: ") + error.what();
  }
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

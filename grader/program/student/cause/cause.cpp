#include "grader/program/student/cause/cause.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "common/errors.h"
#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/base/process/parallel.h"
#include "grader/program/student/cause/finding_cause.h"
#include "grader/program/student/cause/mixed_program.h"

namespace kv::grader::cause {
namespace {

using Clock = std::chrono::steady_clock;

// A run that takes this much longer than the solution hangs.
constexpr double kSolutionTimes = 10;
constexpr double kLeastCpuSeconds = 0.1;

constexpr double kQuickSeconds = 0.05;

// A system takes no longer variable of the environment than twice this.
constexpr std::size_t kMaxHistoryBytes = 64 * 1024;

struct OutOfTime {};

class Search {
 public:
  Search(const MixedProgram& program,
         const LabResult& result,
         const RunOptions& options,
         std::chrono::seconds budget)
      : program_(program), result_(result), options_(options), end_(Clock::now() + budget) {}

  // Empty if no set of units explains the failure. Throws OutOfTime.
  std::vector<Unit> cause_of(const TestResult& test, const std::vector<Unit>& units);

 private:
  using Functions = std::set<std::string>;

  // Everything is the student's except these units.
  Functions all_but(const std::vector<Unit>& units) const;
  Outcome run(const TestResult& test, const Functions& from_student, double cpu_seconds) const;
  bool passes(const TestResult& test, const Functions& from_student, double cpu_seconds) const;
  std::vector<Unit> suspects(const TestResult& test,
                             const std::vector<Unit>& units,
                             double cpu_seconds) const;
  bool explains(const std::vector<Unit>& units, const TestResult& test, double cpu_seconds) const;
  bool breaks_nothing(const std::vector<Unit>& units) const;
  double seconds_left() const;

  const MixedProgram& program_;
  const LabResult& result_;
  RunOptions options_;
  Clock::time_point end_;
  std::vector<std::vector<Unit>> found_ = {};
};

double Search::seconds_left() const {
  const double seconds = std::chrono::duration<double>(end_ - Clock::now()).count();
  if (seconds <= 0) throw OutOfTime{};
  return seconds;
}

Search::Functions Search::all_but(const std::vector<Unit>& units) const {
  Functions functions = program_.functions();
  for (const Unit& unit : units) {
    for (const std::string& function : unit.functions) functions.erase(function);
  }
  return functions;
}

// Runs a test; if it is a history, only the calls that fail, as they were found.
Outcome Search::run(const TestResult& test,
                    const Functions& from_student,
                    double cpu_seconds) const {
  RunOptions options = options_;
  const std::string& history = test.verdict.history;
  if (!history.empty() && history.size() < kMaxHistoryBytes)
    options.environment["KV_HISTORY"] = history;
  return program_.run(test.spec->name, from_student, std::min(cpu_seconds, seconds_left()),
                      options);
}

bool is_pass(const Outcome& outcome, const TestResult& test) {
  return judge(outcome, test.spec->name, false).status == Status::kPass;
}

bool Search::passes(const TestResult& test,
                    const Functions& from_student,
                    double cpu_seconds) const {
  return is_pass(run(test, from_student, cpu_seconds), test);
}

std::vector<Unit> Search::suspects(const TestResult& test,
                                   const std::vector<Unit>& units,
                                   double cpu_seconds) const {
  std::vector<char> fails(units.size());  // Why not bool: threads write neighbors
  in_parallel(units.size(),
              [&](std::size_t i) { fails[i] = !passes(test, units[i].functions, cpu_seconds); });
  std::vector<Unit> suspects;
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (fails[i] != 0) suspects.push_back(units[i]);
  }
  return suspects;
}

bool Search::explains(const std::vector<Unit>& units,
                      const TestResult& test,
                      double cpu_seconds) const {
  return passes(test, all_but(units), cpu_seconds);
}

// Why only quick tests: the others, histories among them, take most of the time of a lab.
bool Search::breaks_nothing(const std::vector<Unit>& units) const {
  std::vector<std::string> passed;
  for (const TestResult& test : result_.tests) {
    const bool is_quick = test.seconds < kQuickSeconds && test.spec->group == "step";
    if (is_quick && test.verdict.status == Status::kPass) passed.push_back(test.spec->name);
  }
  return pass_together(passed, [&](const std::string& filter) {
    return program_.run(filter, all_but(units), seconds_left(), options_).ok();
  });
}

std::vector<Unit> Search::cause_of(const TestResult& test, const std::vector<Unit>& units) {
  const Outcome of_solution = run(test, {}, seconds_left());
  if (!is_pass(of_solution, test)) return {};
  const double cpu_seconds = kSolutionTimes * of_solution.seconds + kLeastCpuSeconds;
  // Why not run it again: it would be stopped. Of a history, most of the time was not for its
  // calls.
  const bool takes_too_long = test.verdict.history.empty() && test.seconds > cpu_seconds;
  if (!takes_too_long && explains({}, test, cpu_seconds)) return {};
  for (const std::vector<Unit>& cause : found_) {
    if (explains(cause, test, cpu_seconds)) return cause;
  }
  const std::vector<Unit> among = suspects(test, units, cpu_seconds);
  std::vector<std::vector<Unit>> sets;
  for (const Unit& one : among) sets.push_back({one});
  for (std::size_t i = 0; i < among.size(); ++i) {
    for (std::size_t j = i + 1; j < among.size(); ++j) sets.push_back({among[i], among[j]});
  }
  for (const std::vector<Unit>& set : sets) {
    if (!explains(set, test, cpu_seconds) || !breaks_nothing(set)) continue;
    found_.push_back(set);
    return set;
  }
  return {};
}

Cause described(const std::vector<Unit>& units) {
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
  Search search(program, result, options, how.budget);
  try {
    for (TestResult* test : in_order_of_use(result)) {
      const std::vector<Unit> cause = search.cause_of(*test, units);
      if (!cause.empty()) test->cause = described(cause);
      if (how.first_only) return;
    }
  } catch (const OutOfTime&) {
    result.cause_search = "not found in " + std::to_string(how.budget.count()) +
                          " seconds; look at the last call above, then at the steps that it calls";
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

}  // namespace kv::grader::cause

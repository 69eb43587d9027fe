#include "grader/engine/cause/cause.h"

#include <algorithm>
#include <set>

#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/engine/cause/mixed_program.h"
#include "grader/engine/cause/search.h"

namespace kv::grader::cause {
namespace {

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

}  // namespace kv::grader::cause

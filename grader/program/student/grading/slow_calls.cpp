#include "grader/program/student/grading/slow_calls.h"

#include <algorithm>

#include "grader/harness/endless.h"

namespace kv::grader {

void explain_slow_calls(LabResult& result) {
  for (TestResult& test : result.tests) {
    Verdict& verdict = test.verdict;
    if (verdict.status != Status::kTimeout) continue;
    const auto cost_test = std::ranges::find_if(result.tests, [&](const TestResult& other) {
      const StepSpec* costly = result.costly_step(other);
      return costly != nullptr && std::ranges::count(verdict.open_steps, costly->number) > 0;
    });
    if (cost_test == result.tests.end()) continue;
    test.explained_by = cost_test->spec;
    verdict.headline = std::string(kTimeUsedUp) + " " + verdict.place + "\n   " +
                       cost_test->spec->name + " shows why: " + cost_test->verdict.headline;
  }
}

}  // namespace kv::grader

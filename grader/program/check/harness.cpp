#include "grader/program/check.h"

namespace kv::grader {

void check_harness(const Kit& kit, Checks& checks) {
  TrialTree trial(kit, {}, "check");
  const fs::path program = trial.build(kit.manifest.labs.front(), "solution", "harness_tests");
  const Outcome outcome = run({.argv = {program.string()}});
  checks.expect(outcome.ok(), "comparisons, random numbers and drawing", outcome.output);
}

}  // namespace kv::grader

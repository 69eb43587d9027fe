#include "grader/program/check/check.h"

namespace kv::grader {

void check_harness(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  const fs::path program = build.build(kit.manifest.labs.front(), "solution", "harness_tests");
  const Outcome outcome = run({.argv = {program.string()}});
  checks.expect(outcome.ok(), "comparisons, histories that shrink, counted cost", outcome.output);
  const fs::path collide = build.build(kit.manifest.lab("03"), "solution", "collide");
  const Outcome found = run({.argv = {collide.string(), "--seed", "7"}});
  checks.expect(found.ok(), "collide finds two blocks with one hash, and checks them",
                found.output);
}

}  // namespace kv::grader

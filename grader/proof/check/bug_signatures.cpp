#include "grader/proof/check/bug_signatures.h"

#include <algorithm>

#include "grader/engine/cause/unit.h"

namespace kv::grader {
namespace {

Signature signature_of(const Kit& kit, const LabResult& result, const Variation& bug) {
  Signature signature{.name = bug.name,
                      .sentence = bug.sentence,
                      .heading = {},
                      .steps = {},
                      .failing = failing_tests(result)};
  if (bug.varies) signature.failing = {{bug.killed_by, ""}};
  for (const auto& unit :
       cause::changed_units(kit, *result.lab, write_variation(kit, *result.lab, bug)))
    signature.steps.insert(signature.steps.end(), unit.steps.begin(), unit.steps.end());
  for (const TestResult& test : result.tests) {
    if (test.spec->name == bug.killed_by) signature.heading = test.verdict.heading;
  }
  return signature;
}

// Is it one of the bugs that are asked for, or a near miss of one? None asked for: all are.
bool is_asked_for(const std::vector<std::string>& asked, const Variation& bug) {
  const std::string& name = bug.is_near_miss() ? bug.like : bug.name;
  return asked.empty() || std::ranges::count(asked, name) > 0;
}

}  // namespace

std::vector<Signature> grade_bugs(const Kit& kit,
                                  BugTrees& trees,
                                  ScratchBuild& build,
                                  const std::optional<cause::SearchOptions>& how,
                                  const LookAtBug& look,
                                  const std::vector<std::string>& asked) {
  std::vector<Signature> bugs, misses;
  for (std::size_t i = 0; i < trees.bugs().size(); ++i) {
    const Variation& bug = trees.bugs()[i];
    if (!is_asked_for(asked, bug)) continue;
    const LabResult result = trees.grade(i, build, how);
    const Signature signature = signature_of(kit, result, bug);
    look(bug, result, signature);
    (bug.is_near_miss() ? misses : bugs).push_back(signature);
  }
  for (Signature& bug : bugs)
    bug.is_named = std::ranges::count(misses, bug.failing, &Signature::failing) == 0;
  return bugs;
}

}  // namespace kv::grader

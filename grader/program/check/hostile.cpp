#include <algorithm>

#include "grader/program/check/check.h"
#include "grader/program/check/variation.h"

namespace kv::grader {
namespace {

// What came of the tests that the fixture speaks of, one line for each that came out otherwise.
std::string surprises(const Variation& fixture, const LabResult& result) {
  std::string lines;
  for (const auto& [name, status] : fixture.expected) {
    const auto test = std::ranges::find(result.tests, name,
                                        [](const TestResult& each) { return each.spec->name; });
    const std::string actual =
        test == result.tests.end() ? "no such test" : status_name(test->verdict.status);
    if (actual != status) lines += name + ": expected " + status + ", came out as " + actual + "\n";
  }
  return lines.empty() ? lines : lines + result.message;
}

// The lab with only those tests in it: the others would only wait for their time-outs.
LabSpec narrowed(const LabSpec& lab, const Variation& fixture) {
  LabSpec narrow = lab;
  std::erase_if(narrow.tests,
                [&](const TestSpec& test) { return !fixture.expected.contains(test.name); });
  return narrow;
}

}  // namespace

void check_hostile(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const Variation& fixture : load_variations(kit, lab, "hostile")) {
      const fs::path tree = write_variation(kit, lab, fixture);
      const LabSpec narrow = narrowed(lab, fixture);
      const LabResult result = build.grade(narrow, tree, {.seed = kit.manifest.seed});
      const std::string lines = surprises(fixture, result);
      std::string statuses;
      for (const auto& [name, status] : fixture.expected) statuses += " " + status;
      checks.expect(lines.empty(), fixture.name + ":" + statuses, lines);
    }
  }
}

}  // namespace kv::grader

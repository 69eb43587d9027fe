#include <algorithm>

#include "grader/engine/variations/variation.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

// A line for each test that the fixture names and that has another status than expected.
std::string unexpected(const Variation& fixture, const LabResult& result) {
  std::string lines;
  for (const auto& [name, status] : fixture.expected) {
    const auto test = std::ranges::find(result.tests, name,
                                        [](const TestResult& each) { return each.spec->name; });
    const std::string actual =
        test == result.tests.end() ? "no such test" : status_name(test->verdict.status);
    if (actual != status) lines += name + ": expected " + status + ", is " + actual + "\n";
  }
  return lines.empty() ? lines : lines + result.message;
}

// An attack that earns points has to be seen.
std::string missing_flag(const Variation& fixture, const LabResult& result) {
  const std::string flags = join(result.flags, "\n");
  if (flags.find(fixture.flag) != flags.npos) return "";
  return "no flag with \"" + fixture.flag + "\":\n" + flags;
}

}  // namespace

void check_hostile(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    for (const Variation& fixture : load_variations(kit, lab, "hostile")) {
      const fs::path tree = write_variation(kit, lab, fixture);
      const LabSpec narrow = narrowed(lab, fixture);
      const LabResult result = build.grade(narrow, tree, {.seed = kit.manifest.seed});
      const std::string lines = unexpected(fixture, result) + missing_flag(fixture, result);
      std::string statuses;
      for (const auto& [name, status] : fixture.expected) statuses += " " + status;
      checks.expect(lines.empty(), fixture.name + ":" + statuses, lines);
    }
  }
}

}  // namespace kv::grader

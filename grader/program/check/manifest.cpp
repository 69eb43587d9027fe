#include <algorithm>
#include <set>

#include "grader/program/check/check.h"

namespace kv::grader {
namespace {

int core_points(const LabSpec& lab, const std::string& group) {
  int sum = 0;
  for (const TestSpec& test : lab.tests) {
    sum += test.is_core && test.group == group ? test.max_points : 0;
  }
  return sum;
}

// What `--gtest_list_tests` prints: suites in the first column, their tests indented.
std::set<std::string> listed_tests(const std::string& output) {
  std::set<std::string> names;
  std::string suite;
  for (const std::string& line : split_lines(output)) {
    const std::string name = line.substr(0, line.find("  # "));
    if (name.starts_with("  ")) {
      names.insert(suite + name.substr(2));
    } else {
      suite = name;
    }
  }
  return names;
}

std::string difference(const std::set<std::string>& left, const std::set<std::string>& right) {
  std::vector<std::string> only_left;
  std::ranges::set_difference(left, right, std::back_inserter(only_left));
  return only_left.empty() ? "none" : join(only_left, " ");
}

void check_points(const LabSpec& lab, Checks& checks) {
  const std::string name = "lab " + lab.id + ": ";
  const int steps = core_points(lab, "step");
  const int histories = core_points(lab, "history");
  const int costs = core_points(lab, "cost");
  checks.expect(steps >= 70 && histories <= 15 && costs <= 15,
                name + "core points: " + std::to_string(steps) + " on single steps (70 or more), " +
                    std::to_string(histories) + " on histories, " + std::to_string(costs) +
                    " on counted cost (15 or fewer)");
  const auto has_points = [](const TestSpec& test) { return test.max_points > 0; };
  checks.expect(std::ranges::all_of(lab.tests, has_points), name + "every test has points");
}

}  // namespace

void check_manifest(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    check_points(lab, checks);
    const fs::path program = build.build(lab, "solution", "lab" + lab.id + "_tests");
    const auto there = listed_tests(run({.argv = {program.string(), "--gtest_list_tests"}}).output);
    std::set<std::string> promised;
    for (const TestSpec& test : lab.tests) promised.insert(test.name);
    checks.expect(there == promised,
                  "lab " + lab.id + ": lab.json lists the " + std::to_string(there.size()) +
                      " tests of the test program",
                  "only in the test program: " + difference(there, promised) +
                      "\nonly in lab.json: " + difference(promised, there));
  }
}

}  // namespace kv::grader

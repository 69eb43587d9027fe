#include <algorithm>
#include <set>

#include "base/kit/json.h"
#include "base/text/errors.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/documents.h"

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

// The score sheet of one lab, with a change to its tests, is loaded: what is said.
std::string refusal_of(const Kit& kit,
                       const LabSpec& lab,
                       const std::function<void(Json& tests)>& change) {
  const fs::path labs = kit.build / "score-sheets";
  Json list = Json::parse(read_file(kit.root / "labs" / "manifest.json"));
  list["labs"] = {lab.folder};
  write_file(labs / "manifest.json", list.dump());
  Json sheet = Json::parse(read_file(kit.lab_folder(lab) / "lab.json"));
  change(sheet["tests"]);
  write_file(labs / lab.folder / "lab.json", sheet.dump());
  try {
    load_manifest(labs);
  } catch (const KitBroken& error) {
    return error.what();
  }
  return "it is loaded";
}

// Gives the tests of one part of a step to another part: all of them, or the last one.
void move_tests(
    Json& tests, const StepSpec& step, std::size_t from, std::size_t to, bool only_last) {
  std::vector<Json*> moved;
  for (Json& test : tests) {
    if (test["step"] == step.number && test.value("part", std::size_t{0}) == from)
      moved.push_back(&test);
  }
  if (only_last) moved = {moved.back()};
  for (Json* test : moved) (*test)["part"] = to;
}

void check_wrong_parts(const Kit& kit, const LabSpec& lab, const StepSpec& step, Checks& checks) {
  const std::size_t last = step.parts.size();
  const auto expect = [&](const std::string& what, std::size_t from, std::size_t to, bool only_last,
                          const std::string& says) {
    const std::string refusal =
        refusal_of(kit, lab, [&](Json& tests) { move_tests(tests, step, from, to, only_last); });
    checks.expect(refusal.find(says) != std::string::npos,
                  "lab " + lab.id + ", step " + step.number + ": " + what + " is refused", refusal);
  };
  expect("a part that no test has", last, last - 1, false, "no test has " + step.part_name(last));
  expect("a test without a part", 1, 0, true, " is of part 0 of step " + step.number);
  expect("a part that the step lacks", last, 99, true, " is of part 99 of step " + step.number);
  expect("tests in another order", last, 1, true, "comes after a test of a later part");
}

void check_parts_in_readme(const Kit& kit,
                           const LabSpec& lab,
                           const StepSpec& step,
                           Checks& checks) {
  const std::string readme = read_file(kit.lab_folder(lab) / "README.md") + "\n### ";
  const auto sections = parts_between(readme, "\n### " + step.heading() + "\n", "\n###");
  const std::string section = "\n" + join(sections, "\n");
  std::string absent;
  for (std::size_t part = 1; part <= step.parts.size(); ++part) {
    const std::string line = std::to_string(part) + ". **" + step.parts[part - 1] + ".**";
    if (section.find("\n" + line) == std::string::npos) absent += line + "\n";
  }
  checks.expect(absent.empty(),
                "lab " + lab.id + ", step " + step.number + ": README.md lists its " +
                    std::to_string(step.parts.size()) + " parts",
                absent);
}

void check_apps(const Kit& kit, const LabSpec& lab, Checks& checks) {
  std::string absent;
  for (const std::string& app : lab.apps)
    if (!fs::is_directory(kit.root / "apps" / app)) absent += "apps/" + app + "\n";
  checks.expect(absent.empty(), "lab " + lab.id + ": its programs are folders of apps/", absent);
}

}  // namespace

void check_manifest(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    check_points(lab, checks);
    check_apps(kit, lab, checks);
    for (const StepSpec& step : lab.steps) {
      if (step.parts.empty()) continue;
      check_wrong_parts(kit, lab, step, checks);
      check_parts_in_readme(kit, lab, step, checks);
    }
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

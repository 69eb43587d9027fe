#include <algorithm>

#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/made_trees.h"
#include "grader/program/student/steps/places.h"

namespace kv::grader {
namespace {

// Finishes a hunk: it is valid if it removes exactly one line, and that line is a KV_TODO.
void close(Hunk& hunk, const std::vector<std::string>& starter_lines) {
  if (starter_lines.size() != 1) return;
  const std::vector<std::string> steps = open_steps(starter_lines.front());
  if (steps.size() != 1) return;
  hunk.step = steps.front();
  hunk.todo_line = starter_lines.front();
}

}  // namespace

std::vector<Hunk> hunks_of(const Kit& kit, const LabSpec& lab, const std::string& file) {
  const fs::path path = fs::path(lab.folder) / file;
  const Outcome diff = run({.argv = {"diff", (kit.root / "starter" / path).string(),
                                     (kit.root / "solution" / path).string()}});
  std::vector<Hunk> hunks;
  std::vector<std::string> starter_lines;
  for (const std::string& line : split_lines(diff.output)) {
    if (line.starts_with("< ")) {
      starter_lines.push_back(line.substr(2));
    } else if (line.starts_with(">")) {
      hunks.back().solution_lines.push_back(line.substr(std::min<std::size_t>(2, line.size())));
    } else if (!line.starts_with("---")) {
      if (!hunks.empty()) close(hunks.back(), starter_lines);
      hunks.emplace_back();
      starter_lines.clear();
    }
  }
  if (!hunks.empty()) close(hunks.back(), starter_lines);
  return hunks;
}

// A step without a stub rewrites steps that have one, and the README prints the line that each of
// them has until then.
std::string wrong_first_forms(const Kit& kit, const LabSpec& lab) {
  const std::string readme = read_file(kit.lab_folder(lab) / "README.md");
  std::string wrong;
  for (const StepSpec& step : lab.steps) {
    for (const auto& [number, line] : step.first_forms) {
      if (!step_before(number, step.number) || !lab.step(number).has_stub())
        wrong += step.heading() + " cannot rewrite " + number + "\n";
      if (readme.find("`" + line + "`") == std::string::npos)
        wrong += "README.md lacks `" + line + "`, the first form of " + number + "\n";
    }
  }
  return wrong;
}

// What `./lab reset` puts back is what starter/ has.
void check_stubs(const Kit& kit, const LabSpec& lab, Checks& checks) {
  std::string wrong;
  for (const StepSpec& step : lab.steps) {
    if (!step.has_stub()) continue;
    const std::string starter = read_file(kit.root / "starter" / lab.folder / step.file);
    const auto function = steps::find_step(kit, lab, step, starter);
    const std::string stub = stub_text(kit, lab, step);
    if (!function) wrong += step.heading() + " is no function of " + step.file + "\n";
    if (function && starter.substr(function->begin, function->close + 1 - function->begin) != stub)
      wrong += "\"given_lines\" of " + step.heading() + " make another stub:\n" + stub + "\n";
  }
  for (const std::string& file : lab.files)
    if (read_file(kit.root / "starter" / lab.folder / file) != untouched_text(kit, lab, file))
      wrong += file + " as made from the solution is not the one in starter/\n";
  checks.expect(wrong.empty(), "lab " + lab.id + ": the stubs are made from the solution", wrong);
}

void check_mirror(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
    check_stubs(kit, lab, checks);
    std::vector<std::string> steps;
    std::string strays;
    for (const std::string& file : lab.files) {
      for (const Hunk& hunk : hunks_of(kit, lab, file)) {
        steps.push_back(hunk.step);
        if (hunk.step.empty()) strays += file + ": " + join(hunk.solution_lines, "\n") + "\n";
      }
    }
    checks.expect(strays.empty(),
                  "lab " + lab.id + ": " + std::to_string(steps.size()) +
                      " hunks, each replaces one KV_TODO line",
                  strays);
    std::vector<std::string> expected;
    for (const StepSpec& step : lab.steps)
      if (step.has_stub()) expected.push_back(step.number);
    std::ranges::sort(steps, step_before);
    checks.expect(steps == expected, "lab " + lab.id + ": the hunks are the steps of lab.json",
                  "hunks " + join(steps, " ") + ", lab.json " + join(expected, " "));
    if (expected.size() == lab.steps.size()) continue;
    const std::string wrong = wrong_first_forms(kit, lab);
    checks.expect(wrong.empty(), "lab " + lab.id + ": the README prints each first form", wrong);
  }
}

}  // namespace kv::grader

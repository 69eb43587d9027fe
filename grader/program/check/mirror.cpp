#include "grader/program/check/mirror.h"

#include <algorithm>

#include "grader/program/check/check.h"

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

void check_mirror(const Kit& kit, Checks& checks) {
  for (const LabSpec& lab : kit.manifest.labs) {
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
    for (const StepSpec& step : lab.steps) expected.push_back(step.number);
    std::ranges::sort(steps, step_before);
    checks.expect(steps == expected, "lab " + lab.id + ": the hunks are the steps of lab.json",
                  "hunks " + join(steps, " ") + ", lab.json " + join(expected, " "));
  }
}

}  // namespace kv::grader

#include <algorithm>
#include <sstream>

#include "base/text/errors.h"
#include "grader/engine/report/drawn_scripts.h"
#include "grader/engine/report/grading_run.h"

namespace kv::grader {
namespace {

constexpr int kNumScripts = 40;  // that are compared
constexpr int kMostDrawn = 400;
constexpr double kCpuSeconds = 2;

std::string text_of(const Outcome& outcome) {
  if (outcome.timed_out) return "(it does not end)";
  return outcome.signal != 0 ? "(it crashes)" : join(split_lines(printable(outcome.output)), "; ");
}

bool is_earned(const LabResult& result, const StepSpec& step) {
  return std::ranges::all_of(result.tests, [&](const TestResult& test) {
    return test.spec->step != step.number || test.verdict.status == Status::kPass;
  });
}

// The steps that a line of a script names, and whose points are not all earned: "append_n #1",
// "attend v2".
std::vector<const StepSpec*> unearned_steps(const LabResult& result, const std::string& line) {
  std::vector<const StepSpec*> steps;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    for (const StepSpec& step : result.lab->steps)
      if (step.call == word && !is_earned(result, step)) steps.push_back(&step);
  }
  return steps;
}

// Do the points that are earned say what this script prints? A step of the extra points that is not
// done may do anything. Of a core step whose extra tests fail it is open what a refused call
// leaves: "all or nothing" is what extra points are for. What the solution does not run to its end
// is promised to nobody.
bool is_earned(const LabResult& result, const Script& script, const Outcome& of_solution) {
  const std::vector<std::string> answers = split_lines(of_solution.output);
  const auto is_open = [&](const StepSpec* step) {
    return !result.lab->is_core(*step) || std::ranges::count(answers, step->call + ": refused") > 0;
  };
  return of_solution.ok() && std::ranges::none_of(script, [&](const std::string& line) {
           return std::ranges::any_of(unearned_steps(result, line), is_open);
         });
}

// The lines of `right`, each at the end of one of `yours`, in their order: a student's program may
// print more, to find a mistake.
bool has_answers(const std::string& yours, const std::string& right) {
  const std::vector<std::string> lines = split_lines(yours);
  auto line = lines.begin();
  return std::ranges::all_of(split_lines(right), [&](const std::string& answer) {
    line = std::find_if(line, lines.end(),
                        [&](const std::string& each) { return each.ends_with(answer); });
    return line != lines.end() && (++line, true);
  });
}

}  // namespace

std::string second_opinion(const Kit& kit,
                           BuildTree& tree,
                           const LabResult& result,
                           std::uint64_t seed) {
  const LabSpec& lab = *result.lab;
  DrawnScripts scripts(kit, lab, seed);
  const std::string target = "lab" + lab.id + "_predict";
  if (scripts.empty()) return "";
  if (!tree.build(target).ok()) return "the second opinion: " + target + " does not build";
  if (!tree.build(target + "_solution").ok()) throw KitBroken(target + "_solution does not build");
  for (int drawn = 0, compared = 0; drawn < kMostDrawn && compared < kNumScripts; ++drawn) {
    const Script script = scripts.next();
    const auto run_on = [&](const std::string& program) {
      const std::vector<std::string> argv = {tree.program(program).string(), join(script, "\n")};
      return run(isolated_command(kit, lab, argv, kCpuSeconds, {}));
    };
    const Outcome right = run_on(target + "_solution");
    if (!is_earned(result, script, right)) continue;
    ++compared;
    const Outcome yours = run_on(target);
    if (!yours.ok() || !has_answers(yours.output, right.output))
      return "the second opinion: full points, but on the calls \"" + join(script, "; ") +
             "\" it prints \"" + text_of(yours) + "\" and not \"" + text_of(right) + "\"";
  }
  return "";
}

}  // namespace kv::grader

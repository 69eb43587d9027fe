#include <array>
#include <cstdio>
#include <iostream>

#include "base/commands/command_line.h"
#include "base/text/errors.h"
#include "grader/desk/steps/step_texts.h"

namespace kv::grader::steps {
namespace {

int points_of(const LabStanding& standing, bool core) {
  int sum = 0;
  for (const auto& [number, step] : standing.now)
    sum += core ? step.core_points : step.extra_points;
  if (const auto& histories = standing.histories)
    sum += core ? histories->core_points : histories->extra_points;
  return sum;
}

// The state in the words of the report, where these say more.
std::string state_text(const StepRecord& now) {
  const bool says_more = now.state == StepState::kWaits || now.state == StepState::kInProgress ||
                         now.state == StepState::kWrong;
  return says_more && !now.said.empty() ? now.said : state_name(now.state);
}

// "14/100"; of what is not graded, "?/100".
std::string score(bool is_known, int points, int max_points) {
  if (max_points == 0) return "";
  return (is_known ? std::to_string(points) : "?") + "/" + std::to_string(max_points);
}

std::string line(const std::string& name,
                 const std::string& state,
                 const std::string& core,
                 const std::string& extra) {
  std::array<char, 128> text;
  std::snprintf(text.data(), text.size(), "%-45.45s %-18.18s %7s %7s", name.c_str(), state.c_str(),
                core.c_str(), extra.empty() ? "" : ("+" + extra).c_str());
  const std::string whole = text.data();
  return whole.substr(0, whole.find_last_not_of(' ') + 1) + "\n";
}

// tests: of the lab, those in this line.
std::string record_line(const std::string& name, const StepRecord& now, const LabSpec& tests) {
  const bool is_known = now.state != StepState::kNotGraded;
  return line("    " + name, state_text(now),
              score(is_known, now.core_points, tests.max_points(true)),
              score(is_known, now.extra_points, tests.max_points(false)));
}

std::string step_line(const LabStanding& standing, const StepSpec& step) {
  const LabSpec tests = standing.lab->with_tests(
      [&](const TestSpec& test) { return test.step == step.number && !test.is_history(); });
  return record_line(step.heading(), standing.now.at(step.number), tests);
}

}  // namespace

std::string list_text(const LabStanding& standing) {
  const LabSpec& lab = *standing.lab;
  const bool is_known = !standing.has(StepState::kNotGraded);
  std::string text = line("lab " + lab.id + "  " + lab.title, "",
                          score(is_known, points_of(standing, true), lab.max_points(true)),
                          score(is_known, points_of(standing, false), lab.max_points(false)));
  for (const StepSpec& step : lab.steps) text += step_line(standing, step);
  if (standing.histories)
    text +=
        record_line("random histories", *standing.histories, lab.with_tests(&TestSpec::is_history));
  return text;
}

std::string summary_text(const Tree& tree, const std::vector<LabStanding>& standings) {
  std::map<StepState, int> num;
  std::size_t num_steps = 0;
  int core = 0;
  int extra = 0;
  std::string ungraded;
  for (const LabStanding& standing : standings) {
    num_steps += standing.now.size();
    for (const auto& [number, step] : standing.now) ++num[step.state];
    core += points_of(standing, true);
    extra += points_of(standing, false);
    if (standing.has(StepState::kNotGraded)) ungraded += " " + standing.lab->id;
  }
  std::string text = std::to_string(num[StepState::kDone]) + " of " + std::to_string(num_steps) +
                     " steps done, " + std::to_string(num[StepState::kWrong]) + " wrong; " +
                     std::to_string(core) + " core points, +" + std::to_string(extra) + " extra\n";
  if (ungraded.empty()) return text;
  return text + std::to_string(num[StepState::kNotGraded]) +
         " are written and not graded since: ./lab grade" + ungraded + tree.option() + "\n";
}

namespace {

struct ListOptions {
  std::vector<std::string> labs = {};  // empty: all
  std::string tree = "starter";
};

void declare_list(CommandForm& form, ListOptions& options) {
  form.argument("LAB", options.labs, "labs to list; all if none is given");
  declare_tree(form, options.tree);
  form.footer(
      "not written       its KV_TODO is there\n"
      "not graded        written, and a file of the lab has changed since the last ./lab grade\n"
      "waits             written, but its tests need an earlier step that is not written\n"
      "wrong             a test fails, or makes another one fail\n"
      "does not compile  a file of the lab does not compile\n"
      "done              all its tests pass; of a step with core tests, the core ones\n"
      "The points are those of the last grading, core and +extra.");
}

int list_command(const Kit& kit, const ListOptions& options) {
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.labs);
  const Tree tree = open_tree(kit, options.tree);
  const std::vector<LabStanding> standings = standings_of(kit, tree, labs);
  for (const LabStanding& standing : standings) std::cout << list_text(standing) << '\n';
  std::cout << summary_text(tree, standings);
  return kExitGraded;
}

}  // namespace
}  // namespace kv::grader::steps

void kv::grader::add_list_command(CommandLine& line) {
  line.add<steps::ListOptions>("list", steps::declare_list, steps::list_command);
}

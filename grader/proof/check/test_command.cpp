#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/python_tests.h"
#include "grader/proof/check/reach.h"
#include "simt/gpu/validate.h"

namespace kv::grader {
namespace {

struct TestOptions {
  bool full = false;
  bool strict = false;
  bool gpu = false;               // not the kit: the simulator, beside a real GPU
  std::string only;               // part of the titles of the groups to run; empty: all
  std::vector<std::string> labs;  // only what is checked lab by lab, of these; empty: all
  std::string changed;            // only what the changes since this commit can break; empty: all

  bool takes_long() const { return full || !only.empty(); }
};

// What a group looks at. The groups of one scope use the same folders, so they run one after the
// other; the scopes run side by side, and so do as many labs as there are cores. With --changed,
// only those of kKit have all labs.
enum class Scope { kLabs, kKit, kBuilds };

// kInFull: with --full, and where --only asks for the group. kInShort: else.
enum class When { kAlways, kInFull, kInShort };

struct Group {
  const char* title;
  void (*run)(const Kit&, Checks&);
  Scope scope;
  When when = When::kAlways;
};

constexpr Group kGroups[] = {
    {"unit tests", check_units, Scope::kKit},
    {"the test harness", check_harness, Scope::kKit},
    {"messages to a student", check_messages, Scope::kKit},
    {"messages of sanitizers", check_sanitized_messages, Scope::kKit},
    {"mutation outcomes", check_mutation_outcomes, Scope::kKit},
    {"programs, the other compiler", check_programs, Scope::kBuilds},
    {"starter and solution, other builds", check_other_builds, Scope::kBuilds},
    {"the score sheet", check_manifest, Scope::kLabs},
    {"starter and solution, graded", check_starter_and_solution, Scope::kLabs},
    {"predict questions", check_predict, Scope::kLabs},
    {"stories of failing tests", check_stories, Scope::kLabs},
    {"hostile code", check_hostile, Scope::kLabs},
    {"alternatives", check_alternatives, Scope::kLabs},
    {"known bugs", check_known_bugs, Scope::kLabs, When::kInShort},
    {"known bugs and their causes", check_causes_of_bugs, Scope::kLabs, When::kInFull},
    {"near misses made by machine", check_near_misses, Scope::kLabs, When::kInFull},
    {"printed tests", check_printed_tests, Scope::kLabs, When::kInFull},
    {"claims of the contracts", check_claims, Scope::kLabs},
    {"options that random calls meet", check_options_met, Scope::kLabs},
    {"core steps alone", check_core_alone, Scope::kLabs},
    {"the staircase", check_staircase, Scope::kLabs, When::kInFull},
    {"mutants of the solution", check_mutation, Scope::kLabs, When::kInFull},
};

// What is to be run: groups, the labs that they look at, and files of Python tests.
struct Chosen {
  std::vector<Group> groups;
  std::vector<const LabSpec*> labs;
  std::vector<PythonTests> python;
};

// What the changes since a commit cannot break is left out.
void leave_out(Chosen& chosen, const Kit& kit, const Reach& reach) {
  std::erase_if(chosen.groups, [&](const Group& group) {
    return (group.scope == Scope::kKit && !reach.has_kit) ||
           (group.scope == Scope::kBuilds && !reach.has_builds);
  });
  std::erase_if(chosen.labs, [&](const LabSpec* lab) { return !reach.labs.contains(lab->id); });
  std::erase_if(chosen.python,
                [&](const PythonTests& one) { return !reach.has_test(one.file, kit.root); });
}

Chosen chosen_checks(const Kit& kit, const TestOptions& options) {
  Chosen chosen{.groups = {}, .labs = kit.manifest.chosen(options.labs), .python = {}};
  std::string titles;
  const auto is_titled = [&](const std::string& title) {
    titles += "\n  " + title;
    return title.find(options.only) != std::string::npos;
  };
  for (const Group& group : kGroups) {
    if (!options.labs.empty() && group.scope != Scope::kLabs) continue;
    const When not_now = options.takes_long() ? When::kInShort : When::kInFull;
    if (is_titled(group.title) && group.when != not_now) chosen.groups.push_back(group);
  }
  if (options.labs.empty())
    std::ranges::copy_if(python_tests(kit), std::back_inserter(chosen.python), is_titled,
                         &PythonTests::title);
  if (chosen.groups.empty() && chosen.python.empty())
    throw UsageError("no group of checks has \"" + options.only +
                     "\" in its title; the titles:" + titles);
  if (!options.changed.empty())
    leave_out(chosen, kit, reach_of(kit, changed_since(kit, options.changed)));
  return chosen;
}

std::string title_of(const Group& group, const Kit& kit) {
  const std::string title = group.title;
  return group.scope == Scope::kLabs ? title + ", " + kit.manifest.labs.front().id : title;
}

Checks run_group(const Group& group, const Kit& kit) {
  Checks checks(Checks::Print::kLater);
  const auto started = std::chrono::steady_clock::now();
  checks.print("\n" + title_of(group, kit) + "\n");
  try {
    group.run(kit, checks);
  } catch (const std::exception& error) {
    checks.expect(false, group.title, error.what());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "        %.1f s\n", seconds.count());
  checks.print(text.data());
  return checks;
}

// Why a folder of its own: what runs beside it makes builds of the same names.
Kit part_of(const Kit& kit, const std::string& folder) {
  Kit part = kit;
  part.build = kit.build / folder;
  return part;
}

// Side by side. A core that is free takes the next lab, later ones first, for they take longer.
void run_groups(const Kit& kit,
                const Chosen& chosen,
                const std::function<void(const Checks&)>& add) {
  const std::vector<const LabSpec*>& labs = chosen.labs;
  const auto run = [&](Scope scope, const Kit& part) {
    for (const Group& group : chosen.groups)
      if (group.scope == scope) add(run_group(group, part));
  };
  std::atomic<std::size_t> num_taken = 0;
  const auto run_labs = [&](unsigned core) {
    Kit part = part_of(kit, "share-" + std::to_string(core + 1));
    for (std::size_t i = ++num_taken; i <= labs.size(); i = ++num_taken) {
      part.manifest.labs = {*labs[labs.size() - i]};
      run(Scope::kLabs, part);
    }
  };
  std::vector<std::future<void>> running;
  const auto start = [&](auto... work) {
    running.push_back(std::async(std::launch::async, work...));
  };
  start(run, Scope::kKit, kit);
  Kit builds = part_of(kit, "builds");
  builds.manifest.labs.clear();
  for (const LabSpec* lab : labs) builds.manifest.labs.push_back(*lab);
  start(run, Scope::kBuilds, builds);
  for (unsigned core = 0; core < std::max(1u, std::thread::hardware_concurrency()); ++core)
    start(run_labs, core);
  for (std::future<void>& one : running) one.get();
}

void declare_test(CommandForm& form, TestOptions& options) {
  form.argument("LAB", options.labs, "only what is checked lab by lab, of these labs");
  form.flag("--full", options.full, "also all mutants, and every lab solved up to each step");
  form.flag("--strict", options.strict, "a check whose tool is missing fails (for CI)");
  form.option("--only", options.only,
              "only the groups of checks with this in their title, as \"known bugs\"");
  form.flag("--gpu", options.gpu,
            "only the simulator, beside a real GPU (needs one, and NVIDIA's tools)");
  form.option("--changed", options.changed,
              "only what the changes since this commit can break, as main or HEAD~1");
}

int run_checks(const Kit& kit, const TestOptions& options) {
  refuse_handout(kit, "./lab test");
  if (options.gpu) return gpu_agrees(kit) ? kExitGraded : kExitNotFull;
  const Chosen chosen = chosen_checks(kit, options);
  const Lock lock(kit.build);
  Checks checks(Checks::Print::kAtOnce);
  std::mutex one_group;
  const auto add = [&](const Checks& results) {
    const std::lock_guard guard(one_group);
    checks.add(results);
  };
  auto groups = std::async(std::launch::async, [&] { run_groups(kit, chosen, add); });
  if (!chosen.python.empty()) add(run_python_tests(kit, chosen.python, options.takes_long()));
  groups.get();
  std::printf("\n");
  return checks.report(options.strict) ? kExitGraded : kExitNotFull;
}

}  // namespace

void add_test_command(CommandLine& line) {
  line.add<TestOptions>("test", declare_test, run_checks);
}

}  // namespace kv::grader

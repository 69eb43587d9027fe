#include "grader/program/check.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

#include "grader/program/errors.h"

namespace kv::grader {

void Checks::expect(bool holds, const std::string& name, const std::string& why) {
  ++(holds ? num_passed_ : num_failed_);
  say((holds ? "ok      " : "FAILED  ") + name + "\n");
  if (!why.empty() && !holds) say(indent(why, "          "));
}

void Checks::unavailable(const std::string& name, const std::string& tool) {
  ++num_unavailable_;
  say("absent  " + name + ": needs " + tool + "\n");
}

void Checks::say(const std::string& text) {
  if (says_ == Says::kLater) {
    text_ += text;
    return;
  }
  std::printf("%s", text.c_str());
  std::fflush(stdout);
}

void Checks::add(const Checks& more) {
  num_passed_ += more.num_passed_;
  num_failed_ += more.num_failed_;
  num_unavailable_ += more.num_unavailable_;
  say(more.text_);
}

bool Checks::report(bool absent_tool_fails) const {
  if (num_unavailable_ > 0) std::printf("%d unavailable\n", num_unavailable_);
  const int num_failed = num_failed_ + (absent_tool_fails ? num_unavailable_ : 0);
  std::printf("%d passed, %d failed\n", num_passed_, num_failed);
  return num_failed == 0;
}

namespace {

// kInTurn: in the builds that all of these share. kBeside: apart from those builds, while they are
// in use. kInFull: with --full, when all else is done.
enum class When { kInTurn, kBeside, kInFull };

struct Group {
  const char* title;
  void (*run)(const Kit&, Checks&);
  When when = When::kInTurn;
};

constexpr Group kGroups[] = {
    {"texts and their form", check_texts, When::kBeside},
    {"the harness", check_harness},
    {"starter mirrors solution", check_mirror},
    {"the score sheet", check_manifest},
    {"starter and solution, graded", check_trees},
    {"known mistakes", check_wrong},
    {"other right answers", check_right},
    {"hostile code", check_hostile},
    {"predict questions", check_predict},
    {"the command line", check_commands, When::kBeside},
    {"starter and solution, other builds", check_other_trees, When::kBeside},
    {"CUDA on the CPU", check_simt_programs, When::kBeside},
    {"planted bugs", check_simt_bugs, When::kBeside},
    {"CUDA's headers", check_simt_shims},
    {"textbook metrics", check_simt_metrics, When::kBeside},
    {"pages about CUDA", check_simt_docs, When::kBeside},
    {"the mutator's operators", check_operators},
    {"the mutator at work", check_fates},
    {"mutants of the solution", check_mutation, When::kInFull},
    {"the staircase", check_staircase, When::kInFull},
};

std::vector<Group> chosen_groups(const CheckOptions& options) {
  std::vector<Group> chosen;
  std::string titles;
  for (const Group& group : kGroups) {
    titles += std::string("\n  ") + group.title;
    const bool is_meant = !options.only.empty() || options.full || group.when != When::kInFull;
    if (is_meant && std::string(group.title).find(options.only) != std::string::npos)
      chosen.push_back(group);
  }
  if (chosen.empty()) throw UsageError("no checks are called that; give a part of one of" + titles);
  return chosen;
}

void run_group(const Group& group, const Kit& kit, Checks& checks) {
  const auto started = std::chrono::steady_clock::now();
  checks.say(std::string("\n") + group.title + "\n");
  try {
    group.run(kit, checks);
  } catch (const std::exception& error) {
    checks.expect(false, group.title, error.what());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "        %.1f s\n", seconds.count());
  checks.say(text.data());
}

}  // namespace

int check_command(const Kit& kit, const CheckOptions& options) {
  const auto groups = chosen_groups(options);
  const Lock lock(kit.build);
  Checks checks(Checks::Says::kAtOnce), apart(Checks::Says::kLater);
  const auto run_groups = [&](When when, Checks& results) {
    for (const Group& group : groups) {
      if (group.when == when) run_group(group, kit, results);
    }
  };
  std::thread beside(run_groups, When::kBeside, std::ref(apart));
  run_groups(When::kInTurn, checks);
  beside.join();
  checks.add(apart);
  run_groups(When::kInFull, checks);
  std::printf("\n");
  return checks.report(options.strict) ? kExitGraded : kExitNotFull;
}

}  // namespace kv::grader

#include "grader/program/check.h"

#include <chrono>
#include <cstdio>

#include "grader/program/errors.h"

namespace kv::grader {

void Checks::expect(bool holds, const std::string& name, const std::string& why) {
  ++(holds ? num_passed_ : num_failed_);
  std::printf("%s  %s\n", holds ? "ok    " : "FAILED", name.c_str());
  if (!why.empty() && !holds) std::printf("%s", indent(why, "          ").c_str());
  std::fflush(stdout);
}

void Checks::unavailable(const std::string& name, const std::string& tool) {
  ++num_unavailable_;
  std::printf("absent  %s: needs %s\n", name.c_str(), tool.c_str());
}

bool Checks::report(bool absent_tool_fails) const {
  if (num_unavailable_ > 0) std::printf("%d unavailable\n", num_unavailable_);
  const int num_failed = num_failed_ + (absent_tool_fails ? num_unavailable_ : 0);
  std::printf("%d passed, %d failed\n", num_passed_, num_failed);
  return num_failed == 0;
}

namespace {

struct Group {
  const char* title;
  void (*run)(const Kit&, Checks&);
  bool only_in_full = false;
};

constexpr Group kGroups[] = {
    {"texts and their form", check_texts},
    {"the harness", check_harness},
    {"starter mirrors solution", check_mirror},
    {"the score sheet", check_manifest},
    {"starter and solution, graded", check_trees},
    {"known mistakes", check_wrong},
    {"other right answers", check_right},
    {"hostile code", check_hostile},
    {"predict questions", check_predict},
    {"the command line", check_commands},
    {"CUDA on the CPU", check_simt_programs},
    {"planted bugs", check_simt_bugs},
    {"CUDA's headers", check_simt_shims},
    {"textbook metrics", check_simt_metrics},
    {"pages about CUDA", check_simt_docs},
    {"the mutator's operators", check_operators},
    {"the mutator at work", check_fates},
    {"mutants of the solution", check_mutation, true},
    {"the staircase", check_staircase, true},
};

std::vector<Group> chosen_groups(const CheckOptions& options) {
  std::vector<Group> chosen;
  std::string titles;
  for (const Group& group : kGroups) {
    titles += std::string("\n  ") + group.title;
    const bool is_meant = !options.only.empty() || options.full || !group.only_in_full;
    if (is_meant && std::string(group.title).find(options.only) != std::string::npos)
      chosen.push_back(group);
  }
  if (chosen.empty()) throw UsageError("no checks are called that; give a part of one of" + titles);
  return chosen;
}

void run_group(const Group& group, const Kit& kit, Checks& checks) {
  const auto started = std::chrono::steady_clock::now();
  std::printf("\n%s\n", group.title);
  try {
    group.run(kit, checks);
  } catch (const std::exception& error) {
    checks.expect(false, group.title, error.what());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::printf("        %.1f s\n", seconds.count());
}

}  // namespace

int check_command(const Kit& kit, const CheckOptions& options) {
  const auto groups = chosen_groups(options);
  const Lock lock(kit.build);
  Checks checks;
  for (const Group& group : groups) run_group(group, kit, checks);
  std::printf("\n");
  return checks.report(options.strict) ? kExitGraded : kExitNotFull;
}

}  // namespace kv::grader

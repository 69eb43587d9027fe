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

TrialTree::TrialTree(const Kit& kit, const BuildOptions& options, const std::string& folder)
    : kit_(kit), stage_(kit.build / (folder + "-stage")), build_(kit, folder, stage_, options) {}

LabResult TrialTree::grade(const LabSpec& lab, const std::string& tree, const RunOptions& options) {
  const Submission submission = stage_submission(kit_, tree, {&lab}, stage_);
  build_.configure();
  return grade_lab(kit_, build_, submission, submission.labs.front(), options);
}

fs::path TrialTree::build(const LabSpec& lab, const std::string& tree, const std::string& target) {
  stage_submission(kit_, tree, {&lab}, stage_);
  build_.configure();
  const Outcome built = build_.build(target);
  if (!built.ok()) throw KitBroken(target + " does not build:\n" + first_error(built.output));
  return build_.program(target);
}

namespace {

struct Group {
  const char* title;
  void (*run)(const Kit&, Checks&);
};

std::vector<Group> all_groups(const CheckOptions& options) {
  std::vector<Group> groups = {
      {"texts and their form", check_texts},         {"the harness", check_harness},
      {"starter mirrors solution", check_mirror},    {"the score sheet", check_manifest},
      {"starter and solution, graded", check_trees}, {"known mistakes", check_wrong},
      {"other right answers", check_right},          {"hostile code", check_hostile},
      {"predict questions", check_predict},          {"the command line", check_commands},
      {"CUDA on the CPU", check_simt_programs},      {"planted bugs", check_simt_bugs},
      {"CUDA's headers", check_simt_shims},          {"textbook metrics", check_simt_metrics},
      {"pages about CUDA", check_simt_docs},
  };
  if (options.full) groups.push_back({"the staircase", check_staircase});
  return groups;
}

}  // namespace

int check_command(const Kit& kit, const CheckOptions& options) {
  const Lock lock(kit.build);
  Checks checks;
  for (const Group& group : all_groups(options)) {
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
  std::printf("\n");
  return checks.report(options.strict) ? kExitGraded : kExitNotFull;
}

}  // namespace kv::grader

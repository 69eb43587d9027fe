#include "grader/program/check/check.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

#include "grader/program/base/errors.h"

namespace kv::grader {

void Checks::expect(bool holds, const std::string& name, const std::string& why) {
  ++(holds ? num_passed_ : num_failed_);
  print((holds ? "ok      " : "FAILED  ") + name + "\n");
  if (!why.empty() && !holds) print(indent(why, "          "));
}

void Checks::unavailable(const std::string& name, const std::string& tool) {
  ++num_unavailable_;
  print("absent  " + name + ": needs " + tool + "\n");
}

void Checks::print(const std::string& text) {
  if (when_ == Print::kLater) {
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
  print(more.text_);
}

bool Checks::report(bool absent_tool_fails) const {
  if (num_unavailable_ > 0) std::printf("%d unavailable\n", num_unavailable_);
  const int num_failed = num_failed_ + (absent_tool_fails ? num_unavailable_ : 0);
  std::printf("%d passed, %d failed\n", num_passed_, num_failed);
  return num_failed == 0;
}

namespace {

// Groups of one chain use the same folders, so they run one after the other; chains run in
// parallel. kInFull: only with --full, after all others.
enum class Chain { kSharedBuilds, kOtherBuilds, kCommands, kInFull };

struct Group {
  const char* title;
  void (*run)(const Kit&, Checks&);
  Chain chain = Chain::kSharedBuilds;
};

constexpr Group kGroups[] = {
    {"texts: format and size", check_format_and_size, Chain::kCommands},
    {"documents", check_documents, Chain::kCommands},
    {"reading C++ text", check_cpp_text},
    {"the test harness", check_harness},
    {"starter mirrors solution", check_mirror},
    {"the score sheet", check_manifest},
    {"starter and solution, graded", check_starter_and_solution},
    {"alternatives", check_alternatives},
    {"stories of failing tests", check_stories},
    {"hostile code", check_hostile},
    {"messages to a student", check_messages},
    {"predict questions", check_predict},
    {"the command line", check_commands, Chain::kCommands},
    {"starter and solution, other builds", check_other_builds, Chain::kOtherBuilds},
    {"messages of sanitizers", check_sanitized_messages, Chain::kOtherBuilds},
    {"CUDA on the CPU", check_simt_programs, Chain::kCommands},
    {"CUDA on the CPU: refusals", check_simt_refusals, Chain::kCommands},
    {"planted CUDA bugs", check_simt_bugs, Chain::kCommands},
    {"CUDA headers", check_simt_shims},
    {"textbook metrics", check_simt_metrics, Chain::kCommands},
    {"pages about CUDA", check_simt_docs, Chain::kCommands},
    {"./lab bench", check_bench, Chain::kOtherBuilds},
    {"./lab replay", check_replay, Chain::kOtherBuilds},
    {"mutation operators", check_mutation_operators},
    {"mutation outcomes", check_mutation_outcomes},
    // Late: it keeps all cores busy, when the other chains have ended.
    {"known bugs and their causes", check_known_bugs},
    {"claims of the contracts", check_claims},
    {"mutants of the solution", check_mutation, Chain::kInFull},
    {"the staircase", check_staircase, Chain::kInFull},
};

std::vector<Group> chosen_groups(const CheckOptions& options) {
  std::vector<Group> chosen;
  std::string titles;
  for (const Group& group : kGroups) {
    titles += std::string("\n  ") + group.title;
    const bool is_meant = !options.only.empty() || options.full || group.chain != Chain::kInFull;
    if (is_meant && std::string(group.title).find(options.only) != std::string::npos)
      chosen.push_back(group);
  }
  if (chosen.empty())
    throw UsageError("no group of checks has \"" + options.only +
                     "\" in its title; the titles:" + titles);
  return chosen;
}

void run_group(const Group& group, const Kit& kit, Checks& checks) {
  const auto started = std::chrono::steady_clock::now();
  checks.print(std::string("\n") + group.title + "\n");
  try {
    group.run(kit, checks);
  } catch (const std::exception& error) {
    checks.expect(false, group.title, error.what());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - started;
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "        %.1f s\n", seconds.count());
  checks.print(text.data());
}

}  // namespace

int check_command(const Kit& kit, const CheckOptions& options) {
  const auto groups = chosen_groups(options);
  const Lock lock(kit.build);
  Checks checks(Checks::Print::kAtOnce), commands(Checks::Print::kLater),
      builds(Checks::Print::kLater);
  const auto run_chain = [&](Chain chain, Checks& results) {
    for (const Group& group : groups) {
      if (group.chain == chain) run_group(group, kit, results);
    }
  };
  std::thread command_chain(run_chain, Chain::kCommands, std::ref(commands));
  std::thread build_chain(run_chain, Chain::kOtherBuilds, std::ref(builds));
  run_chain(Chain::kSharedBuilds, checks);
  command_chain.join();
  build_chain.join();
  checks.add(commands);
  checks.add(builds);
  run_chain(Chain::kInFull, checks);
  std::printf("\n");
  return checks.report(options.strict) ? kExitGraded : kExitNotFull;
}

}  // namespace kv::grader

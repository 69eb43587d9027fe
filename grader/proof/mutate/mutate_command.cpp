#include <sys/resource.h>

#include <cstdio>

#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "base/text/errors.h"
#include "grader/proof/mutate/mutation.h"

namespace kv::grader {
namespace {

// The time of this process and of all its children that have ended.
double cpu_seconds_so_far() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
  }
  return seconds;
}

struct MutateOptions {
  std::vector<std::string> labs = {};  // empty: all
};

void declare_mutate(CommandForm& form, MutateOptions& options) {
  declare_labs(form, options.labs, "try");
}

// The exit code: 0 when every mutant is killed or explained.
int mutate_command(const Kit& kit, const MutateOptions& options) {
  refuse_handout(kit, "./lab mutate");
  const std::vector<const LabSpec*> labs = kit.manifest.chosen(options.labs);
  const Lock lock(kit.build);
  const double seconds_before = cpu_seconds_so_far();
  bool all_ok = true;
  std::string findings;
  std::printf("%s", mutate::table_head().c_str());
  std::fflush(stdout);
  for (const LabSpec* lab : labs) {
    const mutate::Mutation mutation = mutate::mutate_solution(kit, *lab);
    std::printf("%s", mutate::table_row(*lab, mutation).c_str());
    std::fflush(stdout);
    findings += mutate::findings(mutation);
    all_ok &= mutation.ok();
  }
  std::printf("\n%s%.0f CPU seconds\n", findings.c_str(), cpu_seconds_so_far() - seconds_before);
  return all_ok ? kExitGraded : kExitNotFull;
}

}  // namespace

void add_mutate_command(CommandLine& line) {
  line.add<MutateOptions>("mutate", declare_mutate, mutate_command);
}

}  // namespace kv::grader

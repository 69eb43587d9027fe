#include "base/commands/command_line.h"
#include "base/kit/closed_labs.h"
#include "grader/desk/bench/lab_program.h"

namespace kv::grader {
namespace {

struct ReplayOptions {
  std::string tree = "starter";
  std::vector<std::string> program_options = {};  // for lab 04's replay program, TRACE included
};

void declare_replay(CommandForm& form, ReplayOptions& options) {
  declare_tree(form, options.tree);
  form.rest(options.program_options);
  form.footer(
      "TRACE: JSON lines as the Mooncake traces, CSV as the Azure LLM traces, - for standard\n"
      "input; without it, a synthetic trace that comes with the kit. Further options:\n"
      "  --block-size N              tokens in a block (16)\n"
      "  --rules NAME                whose decisions: vllm_0_22 (the default) or vllm_0_33\n"
      "  --capacities N ...          blocks of the cache; by default shares of what the trace "
      "needs\n"
      "  --first N                   only the first N requests of the trace\n"
      "  --skip-bad                  leave malformed lines out, and count them\n"
      "  --serve N                   requests for the comparison of memory use (6000); 0: none\n"
      "  --pool-tokens N  --max-model-len N  --max-num-batched-tokens N  --max-num-seqs N\n"
      "                              the server of that comparison\n"
      "  --watermark SHARE           of its blocks, which an admission leaves free while others "
      "run (0)\n"
      "  --beside-reference          the same through a list and a map of the standard library\n"
      "  --rounds N                  how often each of the two is timed, in turns (1)\n"
      "  --threads N                 capacities that are replayed at the same time\n"
      "  --json FILE                 all results; - prints them in place of the tables\n"
      "  --events FILE  --events-blocks N\n"
      "                              calls and states, for a page that plays them\n"
      "  --generate N  --seed S      write a synthetic trace, and end\n"
      "What the results mean: docs/replay.md\n"
      "exit codes: 0 done, 1 manager and reference differ, 2 wrong use, a malformed trace, steps\n"
      "that are not written, or a manager that breaks, 3 the kit itself is broken");
}

int replay_command(const Kit& kit, const ReplayOptions& options) {
  const LabSpec& lab = kit.manifest.lab("04");
  refuse_closed(kit, lab, "./lab replay");
  const Lock lock(kit.build);
  const Submission submission = stage_for_bench(kit, {&lab}, options.tree);
  refuse_stubs(submission, "./lab replay");
  BuildTree tree = bench_tree(kit, submission);
  build_student_files(kit, tree, submission, "lab" + lab.id + "_student");
  const fs::path program = build_bench(tree, "lab" + lab.id + "_replay");
  return run_in_foreground(program, options.program_options, {"replay", submission.name, lab.id});
}

}  // namespace

void add_replay_command(CommandLine& line) {
  line.add<ReplayOptions>("replay", declare_replay, replay_command);
}

}  // namespace kv::grader

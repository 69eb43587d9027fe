#include "apps/commands/stack_program.h"
#include "base/commands/command_line.h"
#include "base/process/process.h"
#include "base/text/errors.h"
#include "base/text/text.h"
#include "grader/desk/bench/lab_program.h"

namespace kv::grader {
namespace {

struct VllmOptions {
  std::string lab = {};
  std::string tree = "starter";
  std::string version = "0.22.1";
  bool all = false;
  bool scheduler = false;
  std::optional<int> num_traces = {};      // by default 20
  std::optional<std::uint64_t> seed = {};  // by default 0
};

void declare_vllm(CommandForm& form, VllmOptions& options) {
  form.argument("LAB", options.lab,
                "a lab that has functions of vLLM's: 01, 03, 04 or 07, done or not; by default "
                "all that are done");
  declare_tree(form, options.tree);
  form.option("--version", options.version, "a release of vLLM; by default 0.22.1")
      .one_of({"0.22.1", "0.33.0"});
  form.flag("--all", options.all, "list the functions, too, that need what this course leaves out");
  form.flag("--scheduler", options.scheduler,
            "run vLLM's own scheduler on your manager, beside the same one on vLLM's manager");
  form.option("--traces", options.num_traces, "with --scheduler: how many, by default 20")
      .between(1, 10'000);
  declare_seed(form, options.seed,
               "with --scheduler: another number, other requests; by default 0");
  form.footer(
      "vLLM's unit tests, as they are in its release, run on your C++ code; with the rules that\n"
      "this release has. The release and pytest are fetched once, 37 or 47 MB, from the package\n"
      "index of Python. No point depends on it: docs/vllm-tests.md says what each verdict means.\n"
      "exit codes: 0 what is expected of the solution, 1 something else, 2 wrong use, or what is\n"
      "needed is missing, 3 the kit itself is broken");
}

void refuse_options_without_effect(const VllmOptions& options) {
  if (!options.scheduler && (options.num_traces || options.seed))
    throw UsageError("--traces and --seed are about requests that --scheduler makes; add it");
  if (options.scheduler && options.all)
    throw UsageError("--all lists functions, and --scheduler runs none; give one of them");
}

const LabSpec* asked_lab(const Kit& kit, const VllmOptions& options) {
  if (options.lab.empty()) return nullptr;
  const LabSpec& lab = kit.manifest.lab(options.lab);
  if (lab.id == "05" || lab.id == "06")
    throw UsageError("vLLM's tests of what lab " + lab.id +
                     " is about need a GPU; labs 01, 03, 04 and 07 have functions here");
  if (lab.id == "02" && !options.scheduler)
    throw UsageError(
        "no function of vLLM's tests calls lab 02 alone; those of lab 03 call both: "
        "./lab vllm 03");
  return &lab;
}

std::vector<std::string> arguments_of(const Kit& kit,
                                      const VllmOptions& options,
                                      const LabSpec* asked,
                                      const BuiltStack& built) {
  // -E, -B, -X: settings of the user's change no verdict, and nothing is written into the kit.
  std::vector<std::string> arguments = {
      "python3",   "-E",
      "-B",        "-X",
      "utf8",      (kit.root / "apps" / "vllm" / "run.py").string(),
      "--program", built.program.string(),
      "--version", options.version,
      "--tree",    options.tree,
      "--labs",    asked != nullptr ? asked->id : join(built.own_labs, ","),
      "--folder",  (kit.build / "vllm").string()};
  if (options.all) arguments.emplace_back("--all");
  if (options.scheduler)
    arguments.insert(arguments.end(),
                     {"--scheduler", "--traces", std::to_string(options.num_traces.value_or(20)),
                      "--seed", std::to_string(options.seed.value_or(0))});
  return arguments;
}

int vllm_command(const Kit& kit, const VllmOptions& options) {
  refuse_options_without_effect(options);
  require_installed("python3", "python3");
  const LabSpec* asked = asked_lab(kit, options);
  const LabSpec& last = kit.manifest.lab("07");
  const BuiltStack built =
      build_stack_so_far(kit, program_of_stack(kit, last, "vllm"), options.tree, asked);
  return run_in_foreground(
      "/usr/bin/env", arguments_of(kit, options, asked, built),
      {.what = "vllm", .tree = options.tree, .lab_id = last.id, .is_of_kit = true});
}

}  // namespace

void add_vllm_command(CommandLine& line) {
  line.add<VllmOptions>("vllm", declare_vllm, vllm_command);
}

}  // namespace kv::grader

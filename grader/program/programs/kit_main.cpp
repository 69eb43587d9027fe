// The program for work on the kit. It has every command, because its checks run them all.

#include "grader/program/base/commands/command_line.h"
#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/gpu_validate.h"
#include "grader/program/maintainer/mutate/mutate_command.h"
#include "grader/program/maintainer/tools/completion_command.h"
#include "grader/program/maintainer/tools/new_lab_command.h"
#include "grader/program/programs/course_commands.h"
#include "grader/program/programs/simt_commands.h"
#include "grader/program/programs/student_commands.h"
#include "grader/program/programs/watch_commands.h"
#include "grader/program/student/bench/bench_command.h"
#include "grader/program/student/bench/replay_command.h"
#include "grader/program/student/pages/grading_page.h"
#include "grader/program/student/simt/simt.h"

namespace {

using namespace kv::grader;

template <class Options>
void declare_labs(CLI::App& app, Options& options) {
  app.add_option("LAB", options.labs,
                 "labs to try: 1, 01, 01-free-queue or 1-3; all if none is given");
}

void declare_test(CLI::App& app, CheckOptions& options) {
  app.add_option("LAB", options.labs, "only what is checked lab by lab, of these labs");
  app.add_flag("--full", options.full, "also all mutants, and every lab solved up to each step");
  app.add_flag("--strict", options.strict, "a check whose tool is missing fails (for CI)");
  app.add_option("--only", options.only,
                 "only the groups of checks with this in their title, as \"known bugs\"");
}

void declare_new_lab(CLI::App& app, NewLabOptions& options) {
  app.add_option("NAME", options.folder, "its folder, as 04-kv-cache-manager")->required();
}

const std::vector<std::string> kShells = {"bash", "zsh", "fish"};

void declare_completion(CLI::App& app, CompletionOptions& options) {
  app.add_option("SHELL", options.shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(kShells));
  app.footer("The first lines of the script say where it belongs.");
}

int print_completion(const Kit& kit, const CommandLine& line, const std::string& shell) {
  const std::vector<OfferedWord> of_script = {{"doctor", "what is installed, what is missing"},
                                              {"help", "the list of commands"}};
  ArgumentValues values = {{"SHELL", kShells}};
  for (const LabSpec& lab : kit.manifest.labs) {
    values["LAB"].push_back(lab.id);
    for (const StepSpec& step : lab.steps) values["STEP"].push_back(step.number);
  }
  std::cout << completion_script(shell, offered_commands(line.tree(), of_script, values));
  return kExitGraded;
}

// For work on the kit itself.
void add_kit_commands(CommandLine& line) {
  line.add<CheckOptions>("test", "test the kit itself: its solution, tests and grader",
                         declare_test, check_command);
  line.add<MutateOptions>("mutate", "change the solution in one place at a time: does a test fail?",
                          declare_labs<MutateOptions>, mutate_command);
  line.add<NewLabOptions>("new-lab", "make the files of a new lab from a template", declare_new_lab,
                          new_lab_command);
  line.add<SignaturesOptions>(
      "signatures", "compute again which tests each known bug fails, after a change of tests",
      declare_labs<SignaturesOptions>, signatures_command);
  line.add("gpu-validate",
           "compare CUDA on the CPU with a real GPU (needs one, and NVIDIA's tools)",
           gpu_validate_command);
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line, html::write_page);
  add_watch_commands(line);
  add_bench_command(line);
  add_replay_command(line);
  add_simt_command(line);
  add_course_commands(line);
  add_kit_commands(line);
  line.add<CompletionOptions>("completion", "a script that completes what you type after ./lab",
                              declare_completion,
                              [&line](const Kit& kit, const CompletionOptions& options) {
                                return print_completion(kit, line, options.shell);
                              });
  return line.run(readable_simt_options(argc, argv));
}

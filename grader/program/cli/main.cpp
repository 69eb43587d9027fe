// The whole program: the student's commands, CUDA on the CPU, and the commands for work on the kit.

#include "grader/program/bench/bench_command.h"
#include "grader/program/bench/replay_command.h"
#include "grader/program/check/check.h"
#include "grader/program/classroom/class_command.h"
#include "grader/program/cli/completion.h"
#include "grader/program/cli/new_lab.h"
#include "grader/program/cli/student_commands.h"
#include "grader/program/gpu/gpu_validate.h"
#include "grader/program/handout/handout_command.h"
#include "grader/program/mutate/mutate_command.h"
#include "grader/program/services/service_commands.h"
#include "grader/program/similar/similar_command.h"
#include "grader/program/simt/simt.h"
#include "grader/program/site/site_command.h"

namespace {

using namespace kv::grader;

template <class Options>
void declare_labs(CLI::App& app, Options& options) {
  app.add_option("LAB", options.labs,
                 "labs to try: 1, 01, 01-free-queue or 1-3; all if none is given");
}

void declare_handout(CLI::App& app, HandoutOptions& options) {
  app.add_option("FOLDER", options.folder, "new, or a handout that is made again")->required();
  app.add_option("--labs", options.labs, "which labs, as 01-03 or 01,02; all if none is given")
      ->delimiter(',');
  app.add_option("--open", options.open, "labs whose solution is in it, as 01,02")->delimiter(',');
  app.footer(
      "The folder is a git repository. Labs that are not open have stubs in solution/, compiled\n"
      "objects for grading, and no bugs or alternatives. Run it again with --open 02, or with a\n"
      "newer kit: it makes a commit that students merge.");
}

void declare_class(CLI::App& app, ClassOptions& options) {
  app.add_option("FOLDER", options.folder,
                 "with a folder, .zip or .tar.gz for each submission; or a file with a line\n"
                 "\"name url [commit]\" for each git repository")
      ->required();
  app.add_option("--out", options.out, "folder for the results; class-report by default");
  declare_only_labs(app, options.labs);
  app.add_option("--jobs", options.num_jobs, "submissions that are graded at a time")
      ->check(CLI::Range(1, 64));
  app.add_option("--wall", options.wall_seconds, "seconds until one submission is stopped")
      ->check(CLI::Range(10, 86400));
  app.add_option("--seed", options.seed, "seed of the random histories");
  app.add_option("--roster", options.roster,
                 "CSV file \"id,name,group\": adds people to the table, and writes canvas.csv");
  app.footer(
      "Results, written as they come: scores.csv, and submissions/NAME.json with the whole\n"
      "report. A second run goes on where the first one stopped, and grades again what has\n"
      "changed. Each submission reads the kit, the system and itself, and writes nothing that\n"
      "another one reads.");
}

void declare_similar(CLI::App& app, SimilarOptions& options) {
  app.add_option("FOLDER", options.folder, "the submissions, as for ./lab class")->required();
  app.add_option("--out", options.out, "folder for the results; similar-report by default");
  declare_only_labs(app, options.labs);
  app.add_option("--share", options.share,
                 "per cent of a submission's own fingerprints from which a pair is listed; 50 by\n"
                 "default. A pair with one long common place is listed in any case.")
      ->check(CLI::Range(0, 100));
  app.footer(
      "Names, layout, comments and the order of functions make no difference. What the starter,\n"
      "the solution, a contract or many submissions have does not count. Similarity is a reason\n"
      "to read two texts, and proves nothing.");
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

void declare_site(CLI::App& app, SiteOptions& options) {
  app.add_option("--out", options.folder,
                 "a new folder, or that of a site; build/lab/site by default");
  app.footer(
      "The texts of the kit as pages, in reading order, with a search. Open its index.html: no\n"
      "server is needed. Its tools come from PyPI, when the command runs for the first time.");
}

void declare_simt(CLI::App& app, SimtOptions& options) {
  app.add_option("FILE", options.files, "the sources of a CUDA program; behind --: its arguments")
      ->required();
  app.add_option("--argument", options.arguments)->group("");
  app.add_option("-I", options.include_folders, "a folder of headers")->allow_extra_args(false);
  app.add_option("-D", options.macros, "a macro: NAME or NAME=VALUE")->allow_extra_args(false);
  app.add_option("--std", options.standard,
                 "the C++ standard, as -std=c++20; older ones are compiled as C++20");
  app.add_option("--schedule", options.schedule, "order of threads: forward, reverse or both")
      ->check(CLI::IsMember({"forward", "reverse", "both"}));
  app.add_option("-O", options.level,
                 "optimization level of all runs; by default 0 to check and 1 to profile")
      ->check(CLI::IsMember({"0", "1"}));
  app.add_flag("--no-profile", options.no_profile, "only check");
  app.add_flag("--occurrences", options.occurrences,
               "profile without lockstep: faster, less exact");
  app.add_flag("--annotate", options.annotate, "show the source with its costs");
  app.add_option("--json", options.json_file, "write the report to this file");
  app.add_option("--compiler", options.compiler, "g++ or clang++; the default is CXX, or c++");
  app.footer("exit codes: 0 clean, 1 findings, 2 wrong use, or it does not compile");
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
  line.add<SiteOptions>("site", "the course as pages to read, with a search", declare_site,
                        site_command);
  line.add("gpu-validate",
           "compare CUDA on the CPU with a real GPU (needs one, and NVIDIA's tools)",
           gpu_validate_command);
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line;
  add_student_commands(line);
  add_bench_command(line);
  add_replay_command(line);
  line.add<SimtOptions>("simt", "run a CUDA program on the CPU, checked and profiled", declare_simt,
                        simt_command);
  line.add<ClassOptions>("class", "grade the submissions of a class, each by itself", declare_class,
                         class_command);
  line.add<SimilarOptions>("similar", "which submissions of a class have much text in common",
                           declare_similar, similar_command);
  line.add<HandoutOptions>("handout", "a copy for students, without solutions that are not open",
                           declare_handout, handout_command);
  add_service_commands(line);
  add_kit_commands(line);
  line.add<CompletionOptions>("completion", "a script that completes what you type after ./lab",
                              declare_completion,
                              [&line](const Kit& kit, const CompletionOptions& options) {
                                return print_completion(kit, line, options.shell);
                              });
  std::vector<std::string> words = readable_simt_options(argc, argv);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  return line.run(static_cast<int>(pointers.size()), pointers.data());
}

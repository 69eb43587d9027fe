#include "grader/desk/bench/lab_program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "base/text/errors.h"
#include "grader/engine/submission/public_interface.h"

namespace kv::grader {
namespace {

void configure(BuildTree& tree) {
  try {
    tree.configure();
  } catch (const KitBroken& error) {
    if (std::string(error.what()).find("google/benchmark") == std::string::npos) throw;
    throw UsageError(
        "Google Benchmark is not installed, and it cannot be downloaded: "
        "apt-get install libbenchmark-dev");
  }
}

}  // namespace

Submission stage_for_bench(const Kit& kit,
                           const std::vector<const LabSpec*>& labs,
                           const std::string& tree,
                           const std::string& stage) {
  Submission submission = stage_submission(kit, tree, labs, kit.build / stage);
  for (const SubmittedLab& lab : submission.labs) {
    if (!lab.is_submitted)
      throw UsageError("missing in " + submission.name + "/" + lab.lab->folder + ": " +
                       join(lab.missing_files, ", "));
  }
  return submission;
}

BuildTree bench_tree(const Kit& kit, const Submission& submission) {
  BuildTree tree(kit, "bench", submission.stage, {.type = "Release", .native = true});
  configure(tree);
  return tree;
}

void build_student_files(const Kit& kit,
                         BuildTree& tree,
                         const Submission& submission,
                         const std::string& target) {
  const auto refuse = [&](const std::string& error) {
    throw UsageError("the code of " + submission.name + " does not compile:\n" +
                     submission.with_own_paths(error));
  };
  for (const SubmittedLab& lab : submission.labs)
    if (const auto error = changed_public_interface(kit, submission, *lab.lab)) refuse(*error);
  const Outcome objects = tree.build(target);
  if (!objects.ok()) refuse(first_error(objects.output));
}

fs::path build_bench(BuildTree& tree, const std::string& target) {
  const Outcome built = tree.build(target);
  if (!built.ok()) throw KitBroken(target + " does not build:\n" + first_error(built.output));
  return tree.program(target);
}

namespace {

constexpr int kNoSuchProgram = 127;

volatile pid_t child = 0;

// Whatever ends this program ends the other one first, in its own way.
void pass_on(int signal) {
  ::kill(child, signal);
}

// Why not run(): the program prints to the terminal itself, its progress too, and reads the
// standard input. It stays in this session, so Ctrl-C ends both.
int status_of(const fs::path& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw MachineFailed("cannot start a process");
  if (pid == 0) {
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    ::execv(argv[0], argv.data());
    ::_exit(kNoSuchProgram);
  }
  child = pid;
  std::signal(SIGTERM, pass_on);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

void refuse_stubs(const Submission& submission, const std::string& command) {
  for (const SubmittedLab& submitted : submission.labs) {
    const LabSpec& lab = *submitted.lab;
    const auto is_core = [&](const std::string& step) { return lab.is_core(lab.step(step)); };
    const auto open = std::ranges::find_if(submitted.open_steps, is_core);
    if (open == submitted.open_steps.end()) continue;
    const StepSpec& step = lab.step(*open);
    throw UsageError(command + " needs all core steps of lab " + lab.id + ", and " +
                     step.heading() + " is not written in " + submission.name + "/" + lab.folder +
                     "/" + step.file + "; write it, or see what comes out: " + command +
                     " --tree solution");
  }
}

int run_in_foreground(const fs::path& program,
                      const std::vector<std::string>& arguments,
                      const ForegroundRun& run) {
  const int status = status_of(program, arguments);
  const std::string hint = "; ./lab grade " + run.lab_id + " finds the call";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) return kExitGraded;  // nobody reads on
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) return kExitGraded;  // as asked
  if (WIFSIGNALED(status)) {
    throw UsageError(run.what + " crashed (" + std::string(::strsignal(WTERMSIG(status))) +
                     ") with the code of " + run.tree + hint);
  }
  const int code = WEXITSTATUS(status);
  if (code == kNoSuchProgram) throw KitBroken("the program of " + run.what + " cannot be started");
  if (code > kExitUsage && !run.is_of_kit)
    throw UsageError(run.what + " ended early, with status " + std::to_string(code) +
                     ": does the code of " + run.tree + " call exit?");
  return code;
}

}  // namespace kv::grader

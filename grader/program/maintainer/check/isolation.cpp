#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "grader/program/base/process/descendants.h"
#include "grader/program/base/process/process.h"
#include "grader/program/maintainer/check/check.h"

namespace kv::grader {
namespace {

// A shell script in the place of a test, with a test's limits and access.
Outcome run_as_test(const Kit& kit, const std::string& script) {
  Command command{.argv = {"/bin/sh", "-c", script}, .limits = Limits{.cpu_seconds = 2}};
  command.access = FileAccess{.readable = system_folders(), .writable = {}};
  command.access->readable.push_back(kit.build);
  return run(command);
}

bool runs_anywhere(const std::string& program, const std::string& argument) {
  const std::string line = program + '\0' + argument + '\0';
  for (const auto& process : fs::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "cmdline");
    const std::string found{std::istreambuf_iterator<char>(file), {}};
    if (found == line) return true;
  }
  return false;
}

void check_files(const Kit& kit, Checks& checks) {
  const fs::path inside = kit.build / "isolation" / "readable";
  const fs::path outside =
      fs::temp_directory_path() / ("lab-isolation-" + std::to_string(getpid()));
  write_file(inside, "open\n");
  write_file(outside, "secret\n");
  const auto refused = [&](const std::string& what, const std::string& script) {
    const Outcome outcome = run_as_test(kit, script);
    checks.expect(!outcome.ok() && outcome.output.find("ermission denied") != std::string::npos,
                  "a test cannot " + what, outcome.output);
  };
  checks.expect(run_as_test(kit, "cat '" + inside.string() + "' > /dev/null").ok(),
                "a test reads the build folder");
  refused("write there", "echo changed > '" + inside.string() + "'");
  refused("read another folder", "cat '" + outside.string() + "'");
  refused("make a file elsewhere", "echo new > '" + outside.string() + "-new'");
  refused("follow a link out", "cd /usr && cat ../" + outside.relative_path().string());
  checks.expect(read_file(inside) == "open\n", "the file is as it was");
  fs::remove(outside);
}

void check_processes(const Kit& kit, Checks& checks) {
  const std::string grader = std::to_string(::getpid());
  const auto harmless = [&](const std::string& what, const std::string& script) {
    const Outcome outcome = run_as_test(kit, script);
    checks.expect(!outcome.ok(), what, outcome.output);
  };
  harmless("a test cannot stop the grader", "kill -STOP " + grader);
  harmless("a test cannot stop its parent", "kill -STOP $PPID");
  harmless("a test cannot read the grader's memory", "head -c 1 < /proc/" + grader + "/mem");
  harmless("a test cannot read the grader's environment", "cat /proc/" + grader + "/environ");
  const std::string daemon = "sleep 31415926";
  const Outcome left = run_as_test(kit, "setsid sh -c '" + daemon + " & " + daemon + "' & exit 7");
  checks.expect(left.exit_code == 7, "a test that leaves a daemon ends with its own exit code",
                std::to_string(left.exit_code));
  checks.expect(!runs_anywhere("sleep", "31415926"), "the daemon has ended with it");
  checks.expect(run_as_test(kit, "kill -SEGV $$").signal == SIGSEGV, "a test ends by its signal");
  checks.expect(run_as_test(kit, "while :; do :; done").timed_out, "a test that does not end");
}

}  // namespace

void check_isolation(const Kit& kit, Checks& checks) {
  if (landlock_version() < 6) return checks.unavailable("a test's files and signals", "Landlock 6");
  check_files(kit, checks);
  check_processes(kit, checks);
}

}  // namespace kv::grader

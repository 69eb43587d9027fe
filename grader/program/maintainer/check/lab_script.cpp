#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {
namespace {

// What Ninja makes of lab_student: two steps, each takes this many seconds.
std::string slow_build(int seconds) {
  const std::string step = "  command = sleep " + std::to_string(seconds) + " && touch $out\n";
  return "rule step\n" + step + "build first: step\nbuild lab_student: step first\n";
}

// A build folder of ./lab with programs that answer in place of the real ones. What is tested is
// the script: nothing of the kit is built.
class ScriptFolder {
 public:
  explicit ScriptFolder(const Kit& kit) : script_(kit.root / "lab"), folder_(kit.build / "script") {
    fs::remove_all(folder_);
    write_file(folder_ / "tool" / "build.ninja", slow_build(0));
  }
  ~ScriptFolder() { fs::remove_all(folder_); }
  ScriptFolder(const ScriptFolder&) = delete;
  ScriptFolder& operator=(const ScriptFolder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    write_file(folder_ / name, text);
  }
  bool has(const std::string& name) const { return fs::exists(folder_ / name); }

  void add_program(const std::string& name) const {
    write("tool/" + name, "#!/bin/sh\necho \"answered: $*\"\n");
    fs::permissions(folder_ / "tool" / name, fs::perms::owner_all);
  }

  // $LAB is the script, and the folder is the one we are in. A script that waits too long is
  // stopped.
  Outcome run(const std::string& commands) const {
    constexpr double kPatienceSeconds = 40;
    return grader::run({.argv = {"sh", "-c", "cd \"$LAB_BUILD_DIR\" || exit\n" + commands},
                        .environment = {{"LAB", script_.string()},
                                        {"LAB_BUILD_DIR", folder_.string()},
                                        {"CMAKE_GENERATOR", ""}},
                        .wall_seconds = kPatienceSeconds});
  }

 private:
  fs::path script_, folder_;
};

// Ends when the shell that started it has ended.
const std::string kOtherBuilds =
    "flock tool.lock sh -c 'echo simt a.cu >tool.lock; touch held; sleep SECONDS' &\n"
    "until [ -e held ]; do sleep 0.05; done\n";

void check_answers_at_once(const ScriptFolder& folder, Checks& checks) {
  folder.add_program("lab_student");
  for (const std::string command : {"next 02", "list", "hint 1.2", "reset 1.2"}) {
    const Outcome outcome =
        folder.run(replace_all(kOtherBuilds, "SECONDS", "600") + "\"$LAB\" " + command);
    expect_sentence(checks, "./lab " + command + " while another ./lab builds", outcome,
                    kExitGraded, "answered: " + command + "\n");
    checks.expect(outcome.output.starts_with("answered"), "./lab " + command + " waits for nothing",
                  outcome.output);
  }
}

void check_waiting(const ScriptFolder& folder, Checks& checks) {
  const Outcome outcome =
      folder.run(replace_all(kOtherBuilds, "SECONDS", "2") +
                 "\"$LAB\" grade 01 >waited 2>&1 &\nsleep 1\ncat waited\nwait\ncat waited");
  const std::string says = "lab: waiting for ./lab simt a.cu, which builds its program ...\n";
  checks.expect(outcome.output.starts_with(says),
                "./lab says within a second for which other one it waits", outcome.output);
  expect_sentence(checks, "after the wait", outcome, kExitGraded, "answered: grade 01\n");
}

void check_progress(const ScriptFolder& folder, Checks& checks) {
  folder.write("tool/build.ninja", slow_build(6));
  const Outcome outcome = folder.run("rm tool/lab_student\n\"$LAB\" grade 2>&1");
  const std::string what = "lab: building the grading program, once";
  checks.expect(outcome.output.starts_with(what + " ...\n" + what + ": 1 of 2\n"),
                "a build says what it builds, and every ten seconds how far it is", outcome.output);
}

void check_interrupt(const ScriptFolder& folder, Checks& checks) {
  folder.write("tool/build.ninja", slow_build(3));
  const Outcome stopped =
      folder.run("rm -f tool/lab_student tool/first\ntimeout -s INT 1 \"$LAB\" grade; echo $?");
  constexpr const char* kTimeoutOfTimeout = "124\n";
  checks.expect(stopped.output.ends_with(kTimeoutOfTimeout) && !folder.has("tool/lab_student"),
                "Ctrl-C ends a build", stopped.output);
  folder.write("tool/build.ninja", slow_build(0));
  const Outcome again = folder.run("\"$LAB\" grade; test -e tool/lab_student");
  checks.expect(again.exit_code == 0, "after Ctrl-C the next start builds", again.output);
}

// CMake was stopped before it wrote the build: there is a cache, and no build.ninja.
void check_half_configured(const ScriptFolder& folder, Checks& checks) {
  folder.write("bin/cmake",
               "#!/bin/sh\n[ \"$1\" != --version ] || exec /usr/bin/cmake --version\n"
               "[ ! -e tool/CMakeCache.txt ] || exit 1\n"
               "mv kept.ninja tool/build.ninja\n");
  folder.write("kept.ninja", slow_build(0));
  folder.write("tool/CMakeCache.txt", "half");
  const Outcome outcome = folder.run(
      "chmod +x bin/cmake; rm -f tool/build.ninja tool/lab_student tool/first\n"
      "PATH=$PWD/bin:$PATH \"$LAB\" grade; test -e tool/lab_student");
  checks.expect(outcome.exit_code == 0, "what is left of an interrupted CMake is replaced",
                outcome.output);
}

}  // namespace

void check_lab_script(const Kit& kit, Checks& checks) {
  const std::string name = "the script ./lab while it builds";
  if (!is_installed("ninja") || !is_installed("flock"))
    return checks.unavailable(name, "ninja and flock");
  const ScriptFolder folder(kit);
  check_answers_at_once(folder, checks);
  check_waiting(folder, checks);
  check_progress(folder, checks);
  check_interrupt(folder, checks);
  check_half_configured(folder, checks);
}

}  // namespace kv::grader

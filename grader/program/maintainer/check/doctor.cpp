#include <algorithm>

#include "grader/program/maintainer/check/documents.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"

namespace kv::grader {
namespace {

// What follows "echo" in a line of the function needs(), as far as its package.
constexpr const char* kNeed =
    "^ *echo '(?:command|header|peer|sanitizer|module|plugin|dictionary) \\S+ (\\S+) ";

// The packages of a student's commands: lines whose purpose is work on the kit are left out.
std::set<std::string> student_packages(const std::string& script) {
  return matched_words(script, std::regex(kNeed + std::string("(?!\\./lab (?:test|site)\\b)")));
}

// The packages of all commands. needs() has no line for git, because git has made the clone; a
// container has to install it.
std::set<std::string> all_packages(const std::string& script) {
  std::set<std::string> packages = matched_words(script, std::regex(kNeed));
  packages.insert("git");
  return packages;
}

// The packages after "apt-get install": each is a line of one word.
std::set<std::string> installed_packages(const std::string& dockerfile) {
  return matched_words(dockerfile, std::regex("^ +([a-z0-9+.-]+) \\\\$"));
}

std::string difference(const std::set<std::string>& needed, const std::string& dockerfile) {
  const std::set<std::string> installed = installed_packages(dockerfile);
  std::string text;
  for (const std::string& package : needed)
    if (!installed.contains(package)) text += "Dockerfile does not install " + package + "\n";
  for (const std::string& package : installed)
    if (!needed.contains(package)) text += "./lab does not need " + package + "\n";
  return text;
}

// The stage for students has what their commands need; with the stage after it, there is all that
// ./lab needs.
void check_dockerfile(const Kit& kit, Checks& checks) {
  const std::string script = read_file(kit.root / "lab");
  const std::string dockerfile = read_file(kit.root / "Dockerfile");
  const std::string student = dockerfile.substr(0, dockerfile.find("\nFROM student AS checks\n"));
  const std::string wrong = difference(student_packages(script), student);
  checks.expect(wrong.empty() && student.size() < dockerfile.size(),
                "Dockerfile, student: the packages that a student's ./lab needs", wrong);
  const std::string wrong_in_both = difference(all_packages(script), dockerfile);
  checks.expect(wrong_in_both.empty(), "Dockerfile, checks: all packages that ./lab needs",
                wrong_in_both);
  const std::string line = "      libeigen3-dev \\\n";
  const std::string less = difference(student_packages(script), replace_all(student, line, ""));
  checks.expect(less == "Dockerfile does not install libeigen3-dev\n",
                "a package that Dockerfile lacks is found", less);
  const std::string more = difference(student_packages(script), dockerfile);
  checks.expect(more.find("./lab does not need chromium\n") == 0, "a package too many is found",
                more);
  const std::string editors = read_file(kit.root / ".devcontainer/devcontainer.json");
  checks.expect(student.find("docker build --target student ") != std::string::npos &&
                    editors.find("\"target\": \"student\"") != std::string::npos,
                "a student and an editor get the container for students");
}

void write_program(const fs::path& path, const std::string& script) {
  write_file(path, "#!/bin/sh\n" + script);
  fs::permissions(path, fs::perms::owner_all);
}

// A machine whose `uname` prints these.
Outcome doctor_on(const Kit& kit, const std::string& system, const std::string& processor) {
  const fs::path folder = kit.build / "another machine";
  write_program(folder / "uname",
                "[ \"$1\" = -s ] && echo " + system + " || echo " + processor + "\n");
  const std::string path = folder.string() + ":/usr/bin:/bin";
  return run({.argv = {(kit.root / "lab").string(), "doctor"}, .environment = {{"PATH", path}}});
}

// Root's machine, without a compiler. Its apt-get notes each call, and says so if it runs twice at
// the same time.
fs::path new_machine(const Kit& kit) {
  const fs::path folder = kit.build / "new machine";
  fs::remove_all(folder);
  fs::create_directories(folder);
  for (const std::string tool : {"sh", "awk", "sort", "paste", "mktemp", "flock", "tail", "rm",
                                 "dirname", "grep", "mkdir", "rmdir", "sleep", "tr"}) {
    for (const fs::path place : {"/usr/bin", "/bin"})
      if (fs::exists(place / tool) && !fs::exists(folder / tool))
        fs::create_symlink(place / tool, folder / tool);
  }
  write_program(folder / "id", "echo 0\n");
  write_program(folder / "apt-get",
                "cd \"$(dirname \"$0\")\" || exit\n"
                "mkdir lock || { echo 'at the same time' >>calls; exit 100; }\n"
                "echo \"$@\" >>calls\nsleep 0.2\nrmdir lock\n");
  return folder;
}

void check_two_installs(const Kit& kit, Checks& checks) {
  const std::string name = "two ./lab at once: apt-get runs once, then again";
  if (!fs::exists("/var/lib/apt") || !is_installed("flock"))
    return checks.unavailable(name, "apt-get and flock");
  const fs::path machine = new_machine(kit);
  const Outcome both =
      run({.argv = {"sh", "-c", "\"$0\" next & \"$0\" next; wait", (kit.root / "lab").string()},
           .environment = {{"PATH", machine.string()}, {"LAB_NO_INSTALL", ""}}});
  const std::string call = "-o DPkg::Lock::Timeout=300 install ";
  const std::vector<std::string> calls = split_lines(read_file(machine / "calls"));
  const auto is_install = [&](const std::string& line) { return line.starts_with(call); };
  checks.expect(calls.size() == 2 && std::ranges::all_of(calls, is_install), name,
                both.output + join(calls, "\n"));
}

}  // namespace

void check_doctor(const Kit& kit, Checks& checks) {
  check_dockerfile(kit, checks);
  check_two_installs(kit, checks);
  const std::string runs = "can be graded: its kernels run on this CPU (Linux on ";
  expect_sentence(checks, "doctor", doctor_on(kit, "Linux", "x86_64"), kExitGraded, runs);
  expect_sentence(checks, "doctor on arm64", doctor_on(kit, "Linux", "aarch64"), kExitGraded, runs);
  const Outcome elsewhere = doctor_on(kit, "Darwin", "arm64");
  expect_sentence(checks, "doctor on macOS", elsewhere, kExitGraded,
                  "cannot be graded here: it needs Linux on x86-64 or arm64, and this is Darwin");
  expect_sentence(checks, "doctor on macOS", elsewhere, kExitGraded, "in a container it can");
  expect_sentence(checks, "doctor on macOS", elsewhere, kExitGraded, "lab 05-paged-attention can");
}

}  // namespace kv::grader

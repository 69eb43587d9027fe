#include "grader/program/check/doctor.h"

#include "grader/program/check/kit_copy.h"
#include "grader/program/check/matched_words.h"

namespace kv::grader {
namespace {

// Of the lines "echo 'kind name package purpose'" in the function needs().
std::set<std::string> needed_packages(const std::string& script) {
  return matched_words(
      script, std::regex("^ *echo '(?:command|header|sanitizer|module|dictionary) \\S+ (\\S+) "));
}

// Of the lines behind "apt-get install" that hold one word.
std::set<std::string> installed_packages(const std::string& dockerfile) {
  return matched_words(dockerfile, std::regex("^ +([a-z0-9+.-]+) \\\\$"));
}

std::string difference(const std::string& script, const std::string& dockerfile) {
  const std::set<std::string> needed = needed_packages(script);
  const std::set<std::string> installed = installed_packages(dockerfile);
  std::string text;
  for (const std::string& package : needed)
    if (!installed.contains(package)) text += "Dockerfile does not install " + package + "\n";
  for (const std::string& package : installed)
    if (!needed.contains(package)) text += "./lab does not need " + package + "\n";
  return text;
}

void check_dockerfile(const Kit& kit, Checks& checks) {
  const std::string script = read_file(kit.root / "lab");
  const std::string dockerfile = read_file(kit.root / "Dockerfile");
  const std::string wrong = difference(script, dockerfile);
  checks.expect(wrong.empty() && !needed_packages(script).empty(),
                "Dockerfile installs the packages that ./lab needs", wrong);
  const std::string line = "      libeigen3-dev \\\n";
  const std::string less = difference(script, replace_all(dockerfile, line, ""));
  checks.expect(less == "Dockerfile does not install libeigen3-dev\n",
                "a package that Dockerfile lacks is found", less);
  const std::string more =
      difference(script, replace_all(dockerfile, line, line + "      perl \\\n"));
  checks.expect(more == "./lab does not need perl\n", "a package too many is found", more);
}

// A machine whose `uname` prints these.
Outcome doctor_on(const Kit& kit, const std::string& system, const std::string& processor) {
  const fs::path folder = kit.build / "another machine";
  const fs::path uname = folder / "uname";
  write_file(uname,
             "#!/bin/sh\n[ \"$1\" = -s ] && echo " + system + " || echo " + processor + "\n");
  fs::permissions(uname, fs::perms::owner_all);
  const std::string path = folder.string() + ":/usr/bin:/bin";
  return run({.argv = {(kit.root / "lab").string(), "doctor"}, .environment = {{"PATH", path}}});
}

}  // namespace

void check_doctor(const Kit& kit, Checks& checks) {
  check_dockerfile(kit, checks);
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

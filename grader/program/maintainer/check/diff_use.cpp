#include "grader/program/maintainer/check/class_folder.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/handed_in/handed_in.h"

namespace kv::grader {
namespace {

void expect_diff(const KitCopy& copy,
                 Checks& checks,
                 const std::string& name,
                 std::vector<std::string> arguments,
                 const std::string& says) {
  arguments.insert(arguments.begin(), "diff");
  arguments.push_back("--yes");
  expect_sentence(checks, "diff: " + name, copy.lab(arguments), kExitGraded, says);
}

void expect_refusal(const KitCopy& copy,
                    Checks& checks,
                    const std::string& place,
                    const std::string& says) {
  const Outcome outcome = copy.lab({"diff", place, "01"});
  expect_sentence(checks, "diff refuses", outcome, kExitUsage, "\"" + place + "\" " + says);
  checks.expect(
      outcome.output.find("--tree") == std::string::npos && split_lines(outcome.output).size() == 1,
      "in one sentence about the argument", outcome.output);
}

void make_repository(const fs::path& folder) {
  const std::vector<std::string> git = {"git",         "-C", folder.string(),   "-c",
                                        "user.name=a", "-c", "user.email=a@b.c"};
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"init", "--quiet"}, {"add", "."}, {"commit", "-qm", "lab 01"}}) {
    Command command{.argv = git};
    command.argv.insert(command.argv.end(), words.begin(), words.end());
    run(command);
  }
}

void check_origins(const LabSpec& lab, Checks& checks) {
  const HandedIn repository{.name = "a", .url = "https://me:secret@host/a.git", .commit = "HEAD"};
  Submission submission;
  submission.origin = repository.origin();
  const std::string words = submission.diff_arguments(lab);
  checks.expect(words == "https://host/a.git 01 --commit HEAD --yes",
                "the command for a repository, without a password", words);
  submission.origin = {.place = "$(x) y"};
  checks.expect(submission.diff_arguments(lab) == "'$(x) y' 01 --yes",
                "a name that a shell would carry out", submission.diff_arguments(lab));
}

}  // namespace

void check_diff_use(const Kit& kit, const KitCopy& copy, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  ClassFolder folder(copy.root() / "handed in");
  const auto place = [&](const std::string& name) { return (folder.path() / name).string(); };
  folder.add_flat_archive("flat", lab, kit.root / "solution");
  folder.add_wrapped_zip("wrapped", lab, kit, kit.root / "starter");
  folder.add_lab("around/me", lab, kit.root / "solution");
  folder.add_file("damaged.zip", "this is no archive\n");
  folder.add_file("notes.txt", "I was ill.\n");
  folder.add_file("empty/notes.txt", "I was ill.\n");
  expect_diff(copy, checks, "files without their lab's folder", {place("flat.tar.gz"), "01"},
              "1.2 remove: the same");
  expect_diff(copy, checks, "a clone in an archive", {place("wrapped.zip"), "01"},
              "+++ solution: 1.2 remove");
  expect_diff(copy, checks, "a folder around it", {place("around")}, "not submitted: lab 02");
  make_repository(folder.path() / "around");
  fs::remove_all(folder.path() / "around" / "me");
  expect_diff(copy, checks, "a commit of a repository", {place("around"), "01", "--commit", "HEAD"},
              "1.2 remove: the same");
  expect_refusal(copy, checks, place("damaged.zip"), "cannot be compared: the archive is damaged");
  expect_refusal(copy, checks, place("notes.txt"), "is neither a folder nor an archive");
  expect_refusal(copy, checks, place("empty"), "holds no file of any lab");
  expect_refusal(copy, checks, place("nowhere"), "is not there");
  check_origins(lab, checks);
}

}  // namespace kv::grader

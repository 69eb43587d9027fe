// A handout as students and their instructor use it: graded, opened, merged.

#include <algorithm>
#include <set>

#include "common/errors.h"
#include "grader/program/base/kit/closed_labs.h"
#include "grader/program/base/kit/predict_questions.h"
#include "grader/program/course/handout/first_report.h"
#include "grader/program/maintainer/check/documents.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/student/variations/variation.h"

namespace kv::grader {
namespace {

Outcome git(const fs::path& folder, std::vector<std::string> arguments) {
  Command command{.argv = {"git", "-C", folder.string(), "-c", "user.name=Ada", "-c",
                           "user.email=ada@localhost"}};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  return run(command);
}

// A student's clone of a handout, with work on lab 02.
class StudentsClone {
 public:
  StudentsClone(const Kit& kit, const fs::path& handout)
      : kit_(kit), lab_(kit.manifest.lab("02")), root_(handout.string() + "-student") {
    fs::remove_all(root_);
    run({.argv = {"git", "clone", "--quiet", handout.string(), root_.string()}});
  }

  fs::path own_file() const { return root_ / "starter" / lab_.folder / lab_.files.front(); }
  const fs::path& root() const { return root_; }

  void write(const std::string& text) const { write_file(own_file(), text); }
  void commit() const { git(root_, {"commit", "--quiet", "--all", "-m", "lab 02"}); }
  Outcome pull() const { return git(root_, {"pull", "--quiet", "--no-rebase", "--no-edit"}); }

  // typed: what is typed at the program.
  Outcome lab(const std::vector<std::string>& arguments, const std::string& typed = "") const {
    Command command{
        .argv = {"sh", "-c", "printf '%s' \"$TYPED\" | \"$0\" \"$@\"", kit_.program.string()},
        .environment = {{"LAB_ROOT", root_.string()},
                        {"LAB_BUILD_DIR", (root_ / "build" / "lab").string()},
                        {"TYPED", typed}}};
    command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
    return run(command);
  }

 private:
  const Kit& kit_;
  const LabSpec& lab_;
  fs::path root_;
};

// Three lines of a solution in a row that are not in the starter, each without blanks at its ends.
std::set<std::string> secrets_of(const Kit& kit, const LabSpec& lab) {
  std::set<std::string> secrets;
  for (const std::string& file : lab.files) {
    const std::string stub = read_file(kit.root / "starter" / lab.folder / file);
    std::vector<std::string> lines;
    for (const std::string& line : split_lines(kit.solution_text(lab, file))) {
      const bool is_secret = line.size() > 3 && stub.find(line + "\n") == stub.npos;
      if (!is_secret) lines.clear();
      if (is_secret) lines.push_back(line);
      constexpr std::size_t kNumLines = 3;
      if (lines.size() < kNumLines) continue;
      secrets.insert(join(std::vector(lines.end() - kNumLines, lines.end()), "\n"));
    }
  }
  return secrets;
}

void check_nothing_leaks(const Kit& kit, const fs::path& handout, Checks& checks) {
  std::set<std::string> secrets = secrets_of(kit, kit.manifest.lab("02"));
  secrets.merge(secrets_of(kit, kit.manifest.lab("03")));
  std::string leaks;
  std::size_t num_files = 0;
  for (const std::string& name : split_lines(git(handout, {"ls-files"}).output)) {
    ++num_files;
    const bool is_case = name.find("cases/02") != name.npos || name.find("cases/03") != name.npos;
    if ((is_case && !name.ends_with("signatures.json")) || name.find("04-kv") != name.npos)
      leaks += name + "\n";
    if (name.ends_with("HINTS.md")) continue;  // its last tier shows code
    const std::string text = read_file(handout / name);
    for (const std::string& secret : secrets) {
      if (text.find(secret) != text.npos) leaks += name + " has\n" + indent(secret, "    ") + "\n";
    }
  }
  checks.expect(leaks.empty() && num_files > 500 && secrets.size() > 50,
                std::to_string(num_files) + " files, none with " + std::to_string(secrets.size()) +
                    " pieces of closed solutions",
                leaks);
}

// README.md shows the first grading of these labs, and nothing of the others.
std::string wrong_in_readme(const Kit& kit, const std::string& readme, std::size_t num_labs) {
  const std::vector<const LabSpec*> all = kit.manifest.chosen({});
  const handout::FirstReport own = handout::first_report(
      kit, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(num_labs)});
  std::vector<std::string> wrong = {own.first_lab, own.stubs, own.total, own.hours};
  std::erase_if(wrong, [&](const std::string& part) { return readme.find(part) != readme.npos; });
  for (std::size_t i = num_labs; i < all.size(); ++i) {
    for (const std::string& part : {"\nlab " + all[i]->id, "| [" + all[i]->id, all[i]->folder})
      if (readme.find(part) != readme.npos) wrong.push_back("it has " + part);
  }
  for (const std::string part : {"./lab test", "./lab handout", "<!--", "LABS"})
    if (readme.find(part) != readme.npos) wrong.push_back("it has " + part);
  return join(wrong, "\n");
}

// The pages of a handout of the first labs are about these, and their links lead somewhere.
void check_pages_of(const Kit& kit, const fs::path& handout, std::size_t num_labs, Checks& checks) {
  const std::string which = "a handout of " + std::to_string(num_labs) + " labs: ";
  const std::string wrong = wrong_in_readme(kit, read_file(handout / "README.md"), num_labs);
  checks.expect(wrong.empty(), which + "README.md is about these", wrong);
  const std::vector<std::string> files = split_lines(git(handout, {"ls-files"}).output);
  const auto has = [&](const std::string& file) { return std::ranges::count(files, file) > 0; };
  checks.expect(has("docs/replay.md") == (num_labs >= 4) && !has("docs/instructor.md") &&
                    has("docs/getting-started.md"),
                which + "no page of another lab, and none for instructors");
  std::string marked;
  for (const std::string& file : files) {
    const bool is_marked =
        file.ends_with(".md") && read_file(handout / file).find("\n<!-- end -->") != file.npos;
    if (is_marked) marked += file + "\n";
  }
  checks.expect(marked.empty(), which + "no mark of a part is left in a page", marked);
  const Links links = links_in(handout, {files.begin(), files.end()});
  checks.expect(links.broken.empty() && links.num > 100,
                which + std::to_string(links.num) + " links lead somewhere", links.broken);
}

void check_grading(const Kit& kit, const StudentsClone& student, Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("02");
  expect_sentence(checks, "the untouched handout", student.lab({"grade", "02"}), kExitGraded,
                  "total 0/100");
  const Variation bug = load_variations(kit, lab, "known_bugs").front();
  student.write(varied_text(kit, lab, bug));
  expect_sentence(checks, "a known bug in a handout", student.lab({"grade", "02"}), kExitGraded,
                  "looks like: " + bug.sentence);
  student.write(kit.solution_text(lab, lab.files.front()));
  student.commit();
  expect_sentence(checks, "a right answer to a closed lab", student.lab({"grade", "02"}),
                  kExitGraded, "total 100/100 core, +10/10 extra");
  expect_sentence(checks, "what is next after a closed lab", student.lab({"grade", "02"}),
                  kExitGraded, "compare: when your course has opened the solution, ./lab diff 02");
}

void check_predict(const Kit& kit, const StudentsClone& student, Checks& checks) {
  std::string typed;
  const std::vector<PredictQuestion> questions = predict_questions(kit, kit.manifest.lab("02"));
  for (const PredictQuestion& question : questions)
    typed += (question.is_counterexample() ? question.script : question.answer) + "\n";
  expect_sentence(checks, "predict in a handout", student.lab({"predict", "02"}, typed),
                  kExitGraded, std::to_string(questions.size()) + " of ");
}

void check_refusals(const Kit& kit, const StudentsClone& student, Checks& checks) {
  const std::string closed = "has not opened yet";
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& says) {
    expect_sentence(checks, join(arguments, " ") + " in a handout", student.lab(arguments),
                    kExitUsage, says);
  };
  refused({"diff", "02", "--yes"}, "of lab 02, which your course " + closed);
  refused({"diff", "03", "--yes"}, "of lab 03, which your course " + closed);
  refused({"bench", "02"}, closed);
  refused({"grade", "02", "--sanitize"}, closed);
  refused({"grade", "02", "--tree", "solution"}, closed);
  refused({"test"}, "is for the whole kit");
  refused({"handout", "elsewhere"}, "is for the whole kit");
  const LabSpec& lab = kit.manifest.lab("02");
  const fs::path header = student.own_file().parent_path() / lab.headers.front();
  fs::copy_file(kit.lab_folder(lab) / lab.headers.front(), header);
  refused({"grade", "02"}, "your own copy of a header of lab 02 needs the solution of lab 03");
  fs::remove(header);
  const fs::path prebuilt = student.root() / "solution" / lab.folder / "prebuilt";
  fs::rename(prebuilt / name_of_system(), prebuilt / "Plan9-vax");
  refused({"grade", "02"}, "not for " + name_of_system());
  fs::rename(prebuilt / "Plan9-vax", prebuilt / name_of_system());
}

void check_opening(const Kit& kit,
                   const fs::path& handout,
                   const StudentsClone& student,
                   Checks& checks) {
  const LabSpec& lab = kit.manifest.lab("02");
  expect_sentence(checks, "lab 02 is opened",
                  run_lab(kit, {"handout", handout.string(), "--open", "02"}, "inner-handout"),
                  kExitGraded, "labs 01, 02, 03; open: 01, 02");
  const std::string own = read_file(student.own_file());
  const Outcome pulled = student.pull();
  const std::string opened =
      read_file(student.root() / "solution" / lab.folder / lab.files.front());
  checks.expect(pulled.ok() && read_file(student.own_file()) == own &&
                    opened == kit.solution_text(lab, lab.files.front()) &&
                    !fs::exists(student.root() / "solution" / lab.folder / "prebuilt"),
                "it is merged into a student's clone", pulled.output);
  expect_sentence(checks, "the comparison is open", student.lab({"diff", "02", "--yes"}),
                  kExitGraded, "2.3 touch: the same");
  expect_sentence(checks, "the same handout again",
                  run_lab(kit, {"handout", handout.string()}, "inner-handout"), kExitGraded,
                  "nothing has changed");
}

void check_another_lab(const Kit& kit, const fs::path& handout, Checks& checks) {
  expect_sentence(checks, "a lab is added later",
                  run_lab(kit, {"handout", handout.string(), "--labs", "04"}, "inner-handout"),
                  kExitGraded, "labs 01, 02, 03, 04; open: 01, 02");
  check_pages_of(kit, handout, 4, checks);
}

void check_wrong_use(const Kit& kit, const fs::path& handout, Checks& checks) {
  const auto refused = [&](const std::vector<std::string>& options, const std::string& says) {
    std::vector<std::string> arguments = {"handout"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    expect_sentence(checks, "handout: " + says, run_lab(kit, arguments, "inner-handout"),
                    kExitUsage, says);
  };
  const std::string fresh = handout.string() + "-new";
  fs::remove_all(fresh);
  refused({fresh, "--labs", "02"}, "lab 02 needs lab 01");
  refused({fresh, "--labs", "3-1"}, "ends before it begins");
  refused({fresh, "--labs", "99"}, "there is no lab");
  refused({fresh, "--labs", "01", "--open", "02"}, "lab 02 cannot be open");
  refused({kit.build.string()}, "has files and is no handout");
  write_file(handout / "README.md", "changed\n");
  refused({handout.string()}, "has changes that are not committed");
}

}  // namespace

void check_handout(const Kit& kit, Checks& checks) {
  const fs::path handout = kit.build / "handout-for-students";
  fs::remove_all(handout);
  const Outcome made = run_lab(
      kit, {"handout", handout.string(), "--labs", "01-03", "--open", "01"}, "inner-handout");
  expect_sentence(checks, "a handout", made, kExitGraded, "labs 01, 02, 03; open: 01");
  check_nothing_leaks(kit, handout, checks);
  check_pages_of(kit, handout, 3, checks);
  const StudentsClone student(kit, handout);
  check_grading(kit, student, checks);
  check_predict(kit, student, checks);
  check_refusals(kit, student, checks);
  check_opening(kit, handout, student, checks);
  check_another_lab(kit, handout, checks);
  check_wrong_use(kit, handout, checks);
}

}  // namespace kv::grader

#include <thread>

#include "grader/program/maintainer/check/check.h"
#include "grader/program/maintainer/check/kit_copy.h"
#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/steps/places.h"
#include "grader/program/student/steps/standing.h"

namespace kv::grader {
namespace {

// Trees and a state file of our own. Nothing is built: what a grading finds is made up.
class StudentDesk {
 public:
  explicit StudentDesk(const Kit& kit) : kit_(kit), lab_(kit.manifest.lab("02")) {
    kit_.build /= "student desk";
    fs::remove_all(kit_.build);
    for (const LabSpec& lab : kit.manifest.labs)
      fs::copy(kit.root / "starter" / lab.folder, make_folder(tree()) / lab.folder);
  }
  ~StudentDesk() { fs::remove_all(kit_.build); }
  StudentDesk(const StudentDesk&) = delete;
  StudentDesk& operator=(const StudentDesk&) = delete;

  const Kit& kit() const { return kit_; }
  const LabSpec& lab() const { return lab_; }
  fs::path tree() const { return kit_.build / "tree"; }
  fs::path file() const { return tree() / lab_.folder / lab_.files.front(); }
  std::string shown_file() const { return steps::shown_path(kit_, file()); }
  fs::path state() const { return kit_.build / "desk" / "progress.json"; }

  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.end(), {"--tree", tree().string()});
    return run_lab(kit_, arguments, "");
  }

  // Replaces the KV_TODO of a step.
  void write(const StepSpec& step, const std::string& code) const {
    const std::string stub = "KV_TODO(\"" + step.heading() + "\");";
    write_file(file(), replace_all(read_file(file()), stub, code));
  }

  // Grades the lab's files as they are: the tests of this step have this status, others wait. With
  // an error, none runs.
  void grade(const std::string& step,
             Status status,
             const std::string& diagnosis = "",
             const std::string& error = "") const {
    const Submission submission =
        stage_submission(kit_, tree().string(), {&lab_}, kit_.build / "stage");
    LabResult result{.lab = &lab_,
                     .state = error.empty() ? LabState::kInProgress : LabState::kDoesNotCompile,
                     .open_steps = submission.labs.front().open_steps,
                     .message = error};
    result.diagnosis.text = diagnosis;
    for (const TestSpec& test : lab_.tests) {
      Verdict verdict{.status = test.step == step ? status : Status::kNotStarted};
      result.tests.push_back({.spec = &test, .verdict = std::move(verdict)});
    }
    steps::record_grading(kit_, submission, result);
  }

 private:
  static fs::path make_folder(const fs::path& folder) {
    fs::create_directories(folder);
    return folder;
  }

  Kit kit_;
  const LabSpec& lab_;
};

void expect_text(const StudentDesk& desk,
                 Checks& checks,
                 const std::string& name,
                 const std::vector<std::string>& arguments,
                 const std::string& says) {
  expect_sentence(checks, name, desk.run(arguments), kExitGraded, says);
}

void check_untouched(const StudentDesk& desk, Checks& checks) {
  const StepSpec& first = desk.kit().manifest.labs.front().steps.front();
  const std::string name = "next in an untouched tree";
  expect_text(desk, checks, name, {"next"}, "step " + first.heading());
  expect_text(desk, checks, name, {"next"}, "(the lab takes ");
  expect_text(desk, checks, name, {"next"}, "./lab predict 01  (before you write)");
  expect_text(desk, checks, name, {"next", "02"}, desk.shown_file() + ":41:3");
  expect_text(desk, checks, "list of an untouched tree", {"list"}, "0 of 106 steps done, 0 wrong");
  std::string too_long;
  for (const std::string& line : split_lines(desk.run({"list"}).output))
    if (line.size() > 80) too_long += line + "\n";
  checks.expect(too_long.empty(), "list fits 80 columns", too_long);
  checks.expect(!fs::exists(desk.state()), "next and list write nothing");
}

void check_graded(const StudentDesk& desk, Checks& checks) {
  const StepSpec& step = desk.lab().steps.front();
  desk.write(step, "return 0;");
  expect_text(desk, checks, "list of what is written", {"list", "02"},
              "1 are written and not graded since: ./lab grade 02 --tree ");
  expect_text(desk, checks, "next wants a grading", {"next", "02"}, "has not been graded since");
  desk.grade(step.number, Status::kFail, "looks like: a bug.");
  expect_text(desk, checks, "list of a wrong step", {"list", "02"}, "0 of 5 steps done, 1 wrong");
  expect_text(desk, checks, "next names the function to fix", {"next", "02"},
              "    fix     " + desk.shown_file() + ":40:13");
  expect_text(desk, checks, "a diagnosis comes before the hints", {"hint", step.number},
              "step " + step.heading() + " looks like: a bug.");
  desk.grade(step.number, Status::kPass);
  expect_text(desk, checks, "list of a step that is done", {"list", "02"},
              "1 of 5 steps done, 0 wrong; 11 core points");
  expect_text(desk, checks, "next goes on after it", {"next", "02"},
              "step " + desk.lab().steps[1].heading());
  write_file(desk.file(), read_file(desk.file()) + "// a change\n");
  expect_text(desk, checks, "a change makes a grading old", {"list", "02"}, "0 of 5 steps done");
}

void check_all_written(const StudentDesk& desk, Checks& checks) {
  for (const StepSpec& step : desk.lab().steps) desk.write(step, "throw 0;");
  expect_text(desk, checks, "next when all is written", {"next", "02"},
              "every step is written, and not graded since");
  desk.grade("", Status::kNotStarted, "", "a.cpp:1:2: error: no");
  expect_text(desk, checks, "next after an error", {"next", "02"}, "fix     a.cpp:1:2: error: no");
  expect_text(desk, checks, "list after an error", {"list", "02"}, " does not compile ");
  fs::remove(desk.file());
  expect_text(desk, checks, "next when the file is gone", {"next", "02"}, "(not there; ");
  expect_text(desk, checks, "list when the file is gone", {"list", "02"}, "0 of 5 steps done");
}

void check_hints(const StudentDesk& desk, Checks& checks) {
  const std::vector<std::string> hint = {"hint", "2.3", "touch"};
  for (const std::string tier : {"tier 1 of 3: a question", "tier 2 of 3: the state, drawn"}) {
    const Outcome shown = desk.run(hint);
    expect_sentence(checks, "one tier more", shown, kExitGraded, "2.3 touch, " + tier);
    const bool has_tags = shown.output.find("</") != std::string::npos ||
                          shown.output.find("<details>") != std::string::npos;
    checks.expect(!has_tags, "a hint has no tags of HTML", shown.output);
  }
  expect_sentence(checks, "tier 3, no terminal", desk.run(hint), kExitUsage, "--yes shows it");
  expect_text(desk, checks, "tier 3", {"hint", "2.3", "--yes"}, "tier 3 of 3: the steps, in words");
  expect_text(desk, checks, "no tier is left", hint, "2.3 touch was the last");
  expect_text(desk, checks, "a tier again", {"hint", "2.3", "--tier", "1"}, "touch, tier 1 of 3");
  expect_sentence(checks, "no such tier", desk.run({"hint", "2.3", "--tier", "4"}), kExitUsage,
                  "--tier");
  expect_text(desk, checks, "the hint of the step at hand", {"hint"}, "1.1 get_all_free_blocks, ");
}

void check_names(const StudentDesk& desk, Checks& checks) {
  const std::string steps = "the steps of lab 02 are 2.1 get_num_free_blocks, 2.2 get_new_blocks";
  const std::map<std::vector<std::string>, std::string> refusals = {
      {{"2.9"}, "there is no step 2.9; " + steps},
      {{"2"}, "\"2\" is a lab, and a step is needed; " + steps},
      {{"2.3", "append"}, "step 2.3 is touch, not append; " + steps},
      {{"touch"}, "name a step by its number: 2.3 touch"},
      {{"9.1"}, "\"9.1\" is no step"},
      {{"."}, "\".\" is no step"}};
  for (const auto& [words, sentence] : refusals) {
    for (const std::string command : {"hint", "reset"}) {
      std::vector<std::string> arguments = {command};
      arguments.insert(arguments.end(), words.begin(), words.end());
      expect_sentence(checks, command + " " + join(words, " "), desk.run(arguments), kExitUsage,
                      sentence);
    }
  }
}

void check_state_file(const StudentDesk& desk, Checks& checks) {
  for (const std::string content : {"", "{\"format\": 1", "{\"format\": 99}", "[1, 2]",
                                    "{\"format\": 1, \"tiers\": 3, \"trees\": {}}"}) {
    write_file(desk.state(), content);
    expect_text(desk, checks, "a damaged state file: " + content, {"list", "02"},
                "is damaged or of another version of the kit");
  }
  desk.grade("2.1", Status::kPass);
  expect_text(desk, checks, "a grading writes it again", {"list", "02"}, "1 of 5 steps done");
  std::vector<std::jthread> threads;
  for (const std::string step : {"1.1", "1.2", "1.3", "1.4"})
    threads.emplace_back([&desk, step] {
      steps::change_progress(desk.kit(),
                             [&](steps::Progress& progress) { progress.tiers[step] = 2; });
    });
  threads.clear();
  const steps::Progress progress = steps::load_progress(desk.kit());
  checks.expect(progress.tiers.size() == 4 && progress.find(desk.tree(), desk.lab()) != nullptr,
                "changes at the same time are all in the state file");
}

void check_reset_command(const StudentDesk& desk, Checks& checks) {
  const StepSpec& step = desk.lab().step("2.3");
  desk.write(step, "for (KVCacheBlock* block : blocks) ++block->ref_cnt;");
  const Outcome reset = desk.run({"reset", "2.3"});
  expect_sentence(checks, "reset", reset, kExitGraded,
                  "not written again: " + desk.shown_file() + ":51:3\nyour function is kept in ");
  expect_sentence(checks, "reset again", desk.run({"reset", "2.3"}), kExitUsage,
                  "nothing to reset: ");
  expect_sentence(checks, "reset in the solution",
                  run_lab(desk.kit(), {"reset", "2.3", "--tree", "solution"}, ""), kExitUsage,
                  "solution/ is the kit's");
}

}  // namespace

void check_student_commands(const Kit& kit, Checks& checks) {
  const StudentDesk desk(kit);
  check_untouched(desk, checks);
  check_reset_command(desk, checks);
  check_hints(desk, checks);
  check_names(desk, checks);
  check_graded(desk, checks);
  check_state_file(desk, checks);
  check_all_written(desk, checks);
  check_resets(desk.kit(), checks);
}

}  // namespace kv::grader

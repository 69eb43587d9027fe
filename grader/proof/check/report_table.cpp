// What a report says of a long step that is half written, and of steps that fail through another:
// the same on the screen, in the files and in ./lab list. How large its page can be. The results
// are made up; nothing is built.

#include <algorithm>

#include "base/kit/json.h"
#include "grader/desk/handed_in/handed_in.h"
#include "grader/desk/pages/grading_page.h"
#include "grader/desk/steps/step_texts.h"
#include "grader/engine/report/report.h"
#include "grader/proof/check/beginner_bug.h"
#include "grader/proof/check/documents.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

using Fails = std::function<bool(const TestSpec&)>;

// A grading of lab 04, whose solution is there.
class MadeUpGrading {
 public:
  MadeUpGrading(const Kit& kit, Checks& checks)
      : kit_(kit), checks_(checks), lab_(kit.manifest.lab("04")) {
    kit_.build /= "report table";
    fs::remove_all(kit_.build);
    fs::create_directories(tree());
    fs::copy(kit.root / "solution" / lab_.folder, tree() / lab_.folder);
    submission_ = stage_submission(kit_, tree().string(), {&lab_}, kit_.build / "stage");
  }
  ~MadeUpGrading() { fs::remove_all(kit_.build); }
  MadeUpGrading(const MadeUpGrading&) = delete;
  MadeUpGrading& operator=(const MadeUpGrading&) = delete;

  // cause: the number of the step that makes the tests fail; empty if none was found.
  void grade(const Fails& fails, const std::string& cause) {
    result_ = {.lab = &lab_, .state = LabState::kInProgress};
    for (const TestSpec& test : lab_.tests) {
      const bool is_failing = fails(test);
      result_.tests.push_back(
          {.spec = &test, .verdict = {.status = is_failing ? Status::kFail : Status::kPass}});
      if (is_failing && !cause.empty())
        result_.tests.back().cause = Cause{{cause}, cause, lab_.step(cause).heading(), ""};
    }
    steps::record_grading(kit_, submission_, result_);
  }

  // All is right as far as it is written; tests of both steps need the one that is missing.
  void leave_out(const std::string& missing, const std::string& waiting) {
    result_ = {.lab = &lab_, .state = LabState::kInProgress, .open_steps = {missing}};
    for (const TestSpec& test : lab_.tests) {
      const bool waits = test.step == missing || test.step == waiting;
      result_.tests.push_back(
          {.spec = &test, .verdict = {.status = waits ? Status::kNotStarted : Status::kPass}});
    }
    steps::record_grading(kit_, submission_, result_);
  }

  // What was found besides, of the failing tests.
  void add(const std::string& cause_search, const Diagnosis& diagnosis) {
    result_.cause_search = cause_search;
    result_.diagnosis = diagnosis;
  }

  // How often the findings have a text: so many times.
  void expect_num(const std::string& text, std::size_t expected) {
    const std::string findings = findings_text(result_, "");
    const std::size_t num = parts_between(findings, text, "").size();
    checks_.expect(num == expected,
                   "of all failures, \"" + text + "\" " + std::to_string(expected) + " times",
                   findings);
  }

  // The state of a row, wherever it is shown: in one row each.
  void expect_state(const std::string& heading, const std::string& state) {
    std::string wrong;
    for (const auto& [place, text] : shown()) {
      std::vector<std::string> rows = split_lines(text);
      std::erase_if(rows, [&](const std::string& row) {
        return !row.starts_with("    " + heading + "  ") && !row.starts_with(heading + ": ");
      });
      const bool is_shown = rows.size() == 1 && rows[0].find(" " + state) != std::string::npos;
      if (!is_shown) wrong += place + ":\n" + join(rows, "\n") + "\n";
    }
    checks_.expect(wrong.empty(), heading + " once in each table: " + state, wrong);
  }

  // The largest page: everything fails, and prints as much as is kept of it.
  void expect_small_page() {
    constexpr int kNumFailures = 500;
    constexpr std::size_t kMaxPageBytes = 1'500'000;
    const std::string headline = "expected free [5 4 2 3], yours is [5 3 2 4]";
    const TestResult failure{.spec = &lab_.tests.front(),
                             .verdict = {.status = Status::kFail, .headline = headline},
                             .printed = std::string(2000, '<')};
    result_ = {.lab = &lab_, .state = LabState::kInProgress};
    result_.tests.assign(kNumFailures, failure);
    const fs::path page = kit_.build / "report.html";
    pages::write_page(kit_, report(), page);
    const auto size = fs::file_size(page);
    checks_.expect(size < kMaxPageBytes, "500 failures make a page of less than 1.5 MB",
                   std::to_string(size) + " bytes");
  }

  void expect_text(const std::string& name, const std::vector<std::string>& says) {
    const steps::Tree tree_of_desk = steps::open_tree(kit_, tree().string());
    const std::string text =
        findings_text(result_, "--all") + next_lines(result_, submission_, {&lab_}) +
        steps::next_text(kit_, tree_of_desk,
                         steps::standing_of(steps::load_progress(kit_), tree_of_desk, lab_));
    const std::string absent = missing_in(text, says);
    checks_.expect(absent.empty(), name, absent);
  }

 private:
  fs::path tree() const { return kit_.build / "tree"; }

  Report report() const {
    return {.submission = &submission_, .provenance = {}, .seed = 0, .labs = {result_}};
  }

  // "4.6 allocate_slots: part 3 wrong", of the JSON report and the page.
  static std::string lines_of(const Json& steps) {
    std::string lines;
    for (const Json& step : steps)
      lines += step["heading"].get<std::string>() + ": " + step["state"].get<std::string>() + "\n";
    return lines;
  }

  std::map<std::string, std::string> shown() {
    const fs::path file = kit_.build / "report.json";
    write_json(report(), file);
    std::string screen;
    for (const TableRow& row : table_of(result_)) screen += table_row(row);
    const steps::Tree tree_of_desk = steps::open_tree(kit_, tree().string());
    std::string list =
        steps::list_text(steps::standing_of(steps::load_progress(kit_), tree_of_desk, lab_));
    list = replace_all(list, " done ", " ok   ");
    return {{"the screen", screen},
            {"the JSON report", lines_of(Json::parse(read_file(file))["labs"][0]["steps"])},
            {"./lab list", list}};
  }

  Kit kit_;
  Checks& checks_;
  const LabSpec& lab_;
  Submission submission_ = {};
  LabResult result_ = {};
};

void check_half_written_step(MadeUpGrading& grading) {
  const auto is_after = [](std::size_t part) {
    return [part](const TestSpec& test) { return test.step == "4.6" && test.part > part; };
  };
  grading.grade(is_after(2), "4.6");
  grading.expect_state("4.6 allocate_slots", "parts 1-2 ok");
  grading.expect_text("parts 1 and 2 are written: the next one is named, and no other",
                      {"4.6 allocate_slots: parts 1-2 ok; next: part 3, Hits. Its first test:",
                       "AllocateSlots.HitsBeginTheTable  (step 4.6 allocate_slots, part 3, Hits)",
                       "of later parts and steps; --all shows them",
                       "next: write part 3, Hits, of step 4.6 allocate_slots in ",
                       "step 4.6 allocate_slots, part 3, Hits\n", "    write   "});
  grading.grade(is_after(1), "4.6");
  grading.expect_state("4.6 allocate_slots", "part 1 ok");
  grading.grade(is_after(0), "4.6");
  grading.expect_state("4.6 allocate_slots", "part 1 wrong");
  grading.grade(
      [](const TestSpec& test) { return test.name == "AllocateSlots.HitsLeaveTheQueueFirst"; },
      "4.6");
  grading.expect_state("4.6 allocate_slots", "part 3 wrong");
  grading.expect_text("a mistake in part 3",
                      {"next: fix part 3, Hits, of step 4.6 allocate_slots", "    fix     "});
}

void check_step_that_fails_through_another(MadeUpGrading& grading) {
  const auto fails = [](const TestSpec& test) {
    return test.is_core && (test.step == "4.7" || test.step == "4.8" || test.is_history());
  };
  grading.grade(fails, "4.7");
  grading.expect_state("4.7 free", "wrong");
  grading.expect_state("4.8 preempt", "fails through 4.7");
  grading.expect_state("4.9 get_num_common_prefix_blocks", "ok");
  grading.expect_state("random histories", "fails through 4.7");
  grading.grade([](const TestSpec& test) { return test.step == "4.8"; }, "4.7");
  grading.expect_state("4.7 free", "breaks 4.8");
  grading.grade(fails, "");
  grading.expect_state("4.7 free", "wrong");
  grading.expect_state("4.8 preempt", "fails");
  grading.expect_state("random histories", "fails");
}

void check_step_that_waits(MadeUpGrading& grading) {
  grading.leave_out("4.9", "4.7");
  grading.expect_text("a step that waits for a later one is not the next one to write",
                      {"next: write step 4.9 get_num_common_prefix_blocks in ", "step 4.9 "});
}

// The first failure has its cause, or why none was found, and a hint for it.
void check_cause_and_hint(MadeUpGrading& grading) {
  const auto fails = [](const TestSpec& test) {
    return test.name == "FreeRequest.OrderOfEviction";
  };
  const std::string no_cause = "cause: not found";
  const Diagnosis diagnosis{"looks like: a bug.", "4.9 get_num_common_prefix_blocks"};
  grading.grade(fails, "");
  grading.add("not found", diagnosis);
  grading.expect_num(no_cause, 1);
  grading.expect_num("HINTS.md, \"4.9", 1);
  grading.grade(fails, "4.6");
  grading.add("not found", diagnosis);
  grading.expect_num(no_cause, 0);
  grading.expect_num("looks like: a bug.", 1);
  grading.expect_num("HINTS.md", 1);
  grading.expect_num("HINTS.md, \"4.6 allocate_slots\"", 1);
}

// The command that compares a submission, where it is to be typed in another shell.
void check_diff_command(const LabSpec& lab, Checks& checks) {
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

void check_report_table(const Kit& kit, Checks& checks) {
  MadeUpGrading grading(kit, checks);
  check_half_written_step(grading);
  check_step_that_fails_through_another(grading);
  check_step_that_waits(grading);
  check_cause_and_hint(grading);
  check_diff_command(kit.manifest.lab("01"), checks);
  grading.expect_small_page();
}

}  // namespace kv::grader

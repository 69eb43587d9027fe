// What a report says of a long step that is half written, and of steps that fail through another:
// the same on the screen, in the files and in ./lab list. How large its page can be. The results
// are made up; nothing is built.

#include <functional>

#include "base/kit/json.h"
#include "base/kit/tests/kit_test.h"
#include "grader/desk/pages/grading_page.h"
#include "grader/desk/steps/step_texts.h"
#include "grader/engine/report/report.h"

namespace kv::grader {
namespace {

using Fails = std::function<bool(const TestSpec&)>;

// A grading of lab 04, whose solution is there.
class MadeUpGrading : public KitTest {
 protected:
  MadeUpGrading() {
    fs::create_directories(tree());
    fs::copy(kit.root / "solution" / lab_.folder, tree() / lab_.folder);
    submission_ = stage_submission(kit, tree().string(), {&lab_}, kit.build / "stage");
  }

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
    steps::record_grading(kit, submission_, result_);
  }

  // All is right as far as it is written; tests of both steps need the one that is missing.
  void leave_out(const std::string& missing, const std::string& waiting) {
    result_ = {.lab = &lab_, .state = LabState::kInProgress, .open_steps = {missing}};
    for (const TestSpec& test : lab_.tests) {
      const bool waits = test.step == missing || test.step == waiting;
      result_.tests.push_back(
          {.spec = &test, .verdict = {.status = waits ? Status::kNotStarted : Status::kPass}});
    }
    steps::record_grading(kit, submission_, result_);
  }

  // What was found besides, of the failing tests.
  void add(const std::string& cause_search, const Diagnosis& diagnosis) {
    result_.cause_search = cause_search;
    result_.diagnosis = diagnosis;
  }

  // How often the findings have a text.
  std::size_t num_in_findings(const std::string& text) const {
    const std::string findings = findings_text(result_, "");
    std::size_t num = 0;
    for (std::size_t at = findings.find(text); at != findings.npos; ++num)
      at = findings.find(text, at + text.size());
    return num;
  }

  // The state of a row, wherever it is shown: in one row each.
  void expect_state(const std::string& heading, const std::string& state) {
    SCOPED_TRACE(heading + ": " + state);
    for (const auto& [place, text] : shown()) {
      std::vector<std::string> rows = split_lines(text);
      std::erase_if(rows, [&](const std::string& row) {
        return !row.starts_with("    " + heading + "  ") && !row.starts_with(heading + ": ");
      });
      EXPECT_EQ(rows.size(), 1u) << place << ":\n" << text;
      EXPECT_PRED_FORMAT2(testing::IsSubstring, " " + state, join(rows, "\n")) << place;
    }
  }

  void expect_says(const std::vector<std::string>& parts) const {
    const std::string text =
        findings_text(result_, "--all") + next_lines(result_, submission_, {&lab_}) +
        steps::next_text(kit, steps::open_tree(kit, tree().string()), standing());
    for (const std::string& part : parts) EXPECT_PRED_FORMAT2(testing::IsSubstring, part, text);
  }

  Report report() const {
    return {.submission = &submission_, .provenance = {}, .seed = 0, .labs = {result_}};
  }

  const LabSpec& lab_ = kit.manifest.lab("04");
  Submission submission_ = {};
  LabResult result_ = {};

 private:
  fs::path tree() const { return kit.build / "tree"; }

  steps::LabStanding standing() const {
    return steps::standing_of(steps::load_progress(kit), steps::open_tree(kit, tree().string()),
                              lab_);
  }

  // "4.6 allocate_slots: part 3 wrong", of the JSON report and the page.
  static std::string lines_of(const Json& steps) {
    std::string lines;
    for (const Json& step : steps)
      lines += step["heading"].get<std::string>() + ": " + step["state"].get<std::string>() + "\n";
    return lines;
  }

  std::map<std::string, std::string> shown() const {
    const fs::path file = kit.build / "report.json";
    write_json(report(), file);
    std::string screen;
    for (const TableRow& row : table_of(result_)) screen += table_row(row);
    return {{"the screen", screen},
            {"the JSON report", lines_of(Json::parse(read_file(file))["labs"][0]["steps"])},
            {"./lab list", replace_all(steps::list_text(standing()), " done ", " ok   ")}};
  }
};

Fails after_part(std::size_t part) {
  return [part](const TestSpec& test) { return test.step == "4.6" && test.part > part; };
}

TEST_F(MadeUpGrading, OfTwoPartsNamesTheNextOneAndNoOther) {
  grade(after_part(2), "4.6");
  expect_state("4.6 allocate_slots", "parts 1-2 ok");
  expect_says({"4.6 allocate_slots: parts 1-2 ok; next: part 3, Hits. Its first test:",
               "AllocateSlots.HitsBeginTheTable  (step 4.6 allocate_slots, part 3, Hits)",
               "of later parts and steps; --all shows them",
               "next: write part 3, Hits, of step 4.6 allocate_slots in ",
               "step 4.6 allocate_slots, part 3, Hits\n", "    write   "});
}

TEST_F(MadeUpGrading, CountsThePartsThatAreRight) {
  grade(after_part(1), "4.6");
  expect_state("4.6 allocate_slots", "part 1 ok");
  grade(after_part(0), "4.6");
  expect_state("4.6 allocate_slots", "part 1 wrong");
}

TEST_F(MadeUpGrading, NamesThePartWithAMistake) {
  grade([](const TestSpec& test) { return test.name == "AllocateSlots.HitsLeaveTheQueueFirst"; },
        "4.6");
  expect_state("4.6 allocate_slots", "part 3 wrong");
  expect_says({"next: fix part 3, Hits, of step 4.6 allocate_slots", "    fix     "});
}

TEST_F(MadeUpGrading, SaysThroughWhichStepAnotherFails) {
  const Fails fails = [](const TestSpec& test) {
    return test.is_core && (test.step == "4.7" || test.step == "4.8" || test.is_history());
  };
  grade(fails, "4.7");
  expect_state("4.7 free", "wrong");
  expect_state("4.8 preempt", "fails through 4.7");
  expect_state("4.9 get_num_common_prefix_blocks", "ok");
  expect_state("random histories", "fails through 4.7");
  grade([](const TestSpec& test) { return test.step == "4.8"; }, "4.7");
  expect_state("4.7 free", "breaks 4.8");
  grade(fails, "");
  expect_state("4.7 free", "wrong");
  expect_state("4.8 preempt", "fails");
  expect_state("random histories", "fails");
}

TEST_F(MadeUpGrading, DoesNotNameAStepThatWaitsForALaterOne) {
  leave_out("4.9", "4.7");
  expect_says({"next: write step 4.9 get_num_common_prefix_blocks in ", "step 4.9 "});
}

TEST_F(MadeUpGrading, OfALabThatIsDoneSaysWhatItCanBeUsedFor) {
  grade([](const TestSpec&) { return false; }, "");
  expect_says({"the core is done\n", "    use it  ./lab replay\n"});
}

// A cause, or the reason why none was found.
TEST_F(MadeUpGrading, HasACauseAndAHintForTheFirstFailure) {
  const Fails fails = [](const TestSpec& test) {
    return test.name == "FreeRequest.OrderOfEviction";
  };
  const std::string no_cause = "cause: not found";
  const Diagnosis diagnosis{"looks like: a bug.", "4.9 get_num_common_prefix_blocks"};
  grade(fails, "");
  add("not found", diagnosis);
  EXPECT_EQ(num_in_findings(no_cause), 1u);
  EXPECT_EQ(num_in_findings("HINTS.md, \"4.9"), 1u);
  grade(fails, "4.6");
  add("not found", diagnosis);
  EXPECT_EQ(num_in_findings(no_cause), 0u);
  EXPECT_EQ(num_in_findings("looks like: a bug."), 1u);
  EXPECT_EQ(num_in_findings("HINTS.md"), 1u);
  EXPECT_EQ(num_in_findings("HINTS.md, \"4.6 allocate_slots\""), 1u);
}

// Everything fails, and prints as much as is kept of it.
TEST_F(MadeUpGrading, OfFiveHundredFailuresMakesAPageOfLessThanOneAndAHalfMegabytes) {
  const TestResult failure{.spec = &lab_.tests.front(),
                           .verdict = {.status = Status::kFail,
                                       .headline = "expected free [5 4 2 3], yours is [5 3 2 4]"},
                           .printed = std::string(2000, '<')};
  result_ = {.lab = &lab_, .state = LabState::kInProgress};
  result_.tests.assign(500, failure);
  const fs::path page = kit.build / "report.html";
  pages::write_page(kit, report(), page);
  EXPECT_LT(fs::file_size(page), 1'500'000u);
}

}  // namespace
}  // namespace kv::grader

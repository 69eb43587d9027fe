// What a report says at its end: what to do next.

#include <algorithm>

#include "base/kit/tests/kit_test.h"
#include "grader/engine/report/report.h"

namespace kv::grader {
namespace {

class NextLines : public KitTest {
 protected:
  NextLines() {
    for (const TestSpec& test : lab_.tests)
      result_.tests.push_back({.spec = &test, .verdict = {.status = Status::kPass}});
  }

  // The last test did not pass.
  void end_with(Status status) {
    result_.state = LabState::kInProgress;
    result_.tests.back().verdict.status = status;
  }
  std::string next() const { return next_lines(result_, submission_, labs_); }

  const LabSpec& lab_ = kit.manifest.labs.front();
  const StepSpec& last_ = lab_.step(lab_.tests.back().step);
  const std::string where_ =
      last_.heading() + " in starter/" + lab_.folder + "/" + last_.file + "\n";
  const std::string compare_ =
      "compare: ./lab diff 01, then read labs/01-free-queue/README.md, \"Two diffs\"\n";
  std::vector<const LabSpec*> labs_ = kit.manifest.chosen({});
  Submission submission_{.name = "starter", .tree = {}, .stage = {}};
  LabResult result_{.lab = &lab_, .state = LabState::kDone};
};

TEST_F(NextLines, OfALabThatIsDoneNameTheNextOneUnlessItIsWrittenOrNotGraded) {
  EXPECT_EQ(next(), compare_ + "next lab: labs/02-block-pool/README.md\n");
  submission_.labs = {{.lab = labs_[1], .is_submitted = true}};
  EXPECT_EQ(next(), compare_);
  submission_.labs = {};
  labs_ = {&lab_};
  EXPECT_EQ(next(), compare_);
}

TEST_F(NextLines, NameAStepWithoutABody) {
  end_with(Status::kNotStarted);
  EXPECT_EQ(next(), "next: write step " + where_);
}

TEST_F(NextLines, NameAStepThatFailsIfOneIsKnown) {
  end_with(Status::kCrash);  // a history
  EXPECT_EQ(next(), "next: find the step in the calls above: each one passes its own tests\n");
  result_.tests.back().cause = Cause{{last_.number}, last_.number, last_.heading(), ""};
  EXPECT_EQ(next(), "next: fix step " + where_);
}

TEST_F(NextLines, OfALabThatIsDoneNameAFailureOfExtraPointsLast) {
  const auto extra = std::ranges::find_if(
      result_.tests, [](const TestResult& test) { return !test.spec->is_core; });
  extra->verdict.status = Status::kFail;
  const StepSpec& step = lab_.step(extra->spec->step);
  EXPECT_EQ(next(), compare_ + "next lab: labs/02-block-pool/README.md\n" +
                        "or, for extra points: fix step " + step.heading() + " in starter/" +
                        lab_.folder + "/" + step.file + "\n");
}

TEST_F(NextLines, NameTheStepThatTheCauseNames) {
  const LabSpec& lab = kit.manifest.lab("03");
  const StepSpec &release = lab.step("3.10"), &exact_hits = lab.step("3.16");
  LabResult result{.lab = &lab, .state = LabState::kInProgress};
  for (const TestSpec& test : lab.tests) {
    if (test.step == release.number)
      result.tests.push_back({.spec = &test, .verdict = {.status = Status::kFail}});
  }
  TestResult& failure = result.tests.front();
  failure.cause = Cause{{"3.8", "3.9", "3.10"},
                        exact_hits.number,
                        exact_hits.heading(),
                        "step " + exact_hits.heading() + " (why)"};
  EXPECT_EQ(failure_parts(result, failure).cause,
            "step " + release.heading() + ", which step 3.16 rewrites (why)");
  EXPECT_TRUE(next_lines(result, submission_, labs_).starts_with("next: fix step 3.10 "));
}

TEST_F(NextLines, NameTheLineThatDoesNotCompile) {
  result_.state = LabState::kDoesNotCompile;
  result_.message = "starter/a.cpp:27:3: error: expected ';'\n  27 | ...";
  EXPECT_EQ(next(), "next: fix starter/a.cpp:27:3, then ./lab grade 01\n");
}

}  // namespace
}  // namespace kv::grader

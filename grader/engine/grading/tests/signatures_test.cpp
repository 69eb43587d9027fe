// By which messages a known bug is recognized, and what signatures.json may hold. The results are
// made up.

#include "grader/engine/grading/signatures.h"

#include <algorithm>

#include "base/kit/tests/kit_test.h"
#include "grader/harness/cost.h"

namespace kv::grader {
namespace {

class Signatures : public KitTest {
 protected:
  // The first test of a lab fails, the others pass.
  LabResult failing_with(const std::string& message, const std::string& lab = "05") const {
    LabResult result{.lab = &kit.manifest.lab(lab), .state = LabState::kInProgress};
    for (const TestSpec& test : result.lab->tests)
      result.tests.push_back({.spec = &test, .verdict = {.status = Status::kPass}});
    result.tests.front().verdict = {.status = Status::kFail, .headline = message};
    return result;
  }

  static Signature signature_of(const LabResult& result) {
    Signature bug{};
    bug.name = "a-bug";
    bug.sentence = "a bug.";
    bug.failing = failing_tests(result);
    return bug;
  }

  static bool is_named(const Signature& bug, const LabResult& result) {
    return !diagnosis_of({bug}, result, Causes::kNotSearched).text.empty();
  }

  // Is a bug that fails with `written` recognized in a student's result?
  bool is_known(const std::string& written,
                const std::string& message,
                const std::string& lab = "05") const {
    return is_named(signature_of(failing_with(written, lab)), failing_with(message, lab));
  }
};

TEST_F(Signatures, HaveADigestForWhichEachCharacterCounts) {
  const std::string message = "expected free [1 2 0], yours is [0 2 1]";
  EXPECT_TRUE(is_known(message, message));
  for (std::size_t i = 0; i < message.size(); ++i) {
    std::string other = message;
    ++other[i];
    EXPECT_FALSE(is_known(message, other)) << other;
  }
  const std::string digest = failing_tests(failing_with(message)).begin()->second;
  for (const std::string& other : {std::string(), message + " ", digest})
    EXPECT_FALSE(is_known(message, other)) << other;
}

// Compilers differ in the last digits of a sum.
TEST_F(Signatures, HaveTheFirstDigitsOfADecimal) {
  const std::string sum = "expected 0.50000001, yours is -1.2345678: row 3";
  EXPECT_TRUE(is_known(sum, "expected 0.50000003, yours is -1.2345612: row 3"));
  EXPECT_FALSE(is_known(sum, "expected 0.50000001, yours is -1.2465678: row 3"));
  EXPECT_FALSE(is_known(sum, "expected 0.50000001, yours is -1.2345678: row 4"));
}

TEST_F(Signatures, HaveNoCountsOfBasicBlocks) {
  const std::string end = " with 100" + std::string(kMustNotGrow);
  const std::string cost = "append() ran 3,000 basic blocks with 1,000 things and 12" + end;
  EXPECT_TRUE(is_known(cost, "append() ran 999 basic blocks with 1,000 things and 7" + end));
  EXPECT_FALSE(is_known(cost, "append() ran 999 basic blocks with 1,500 things and 7" + end));
}

TEST_F(Signatures, HaveNoLinesOfAKernel) {
  const std::string race = "a race in copy.cu:12 and a.cu:7";
  EXPECT_TRUE(is_known(race, "a race in mine.cu:345 and b.cu:8", "06"));
  EXPECT_FALSE(is_known(race, "a race at mine.cu:345 and b.cu:8", "06"));
}

TEST_F(Signatures, WithAnEmptyMessageTakeAnyButNameNoBugAlone) {
  LabResult result = failing_with("a message");
  Signature bug = signature_of(result);
  bug.failing[result.lab->tests[1].name] = "";
  EXPECT_FALSE(is_named(bug, result)) << "the second test passes";
  for (const char* message : {"", "another message", "0000000000000000"}) {
    result.tests[1].verdict = {.status = Status::kFail, .headline = message};
    EXPECT_TRUE(is_named(bug, result)) << message;
  }
  bug.failing[result.lab->tests[0].name] = "";
  EXPECT_FALSE(is_named(bug, result));
}

TEST_F(Signatures, DoNotDifferInATestAtItsTimeLimit) {
  Signature slow, fast, other;
  fast.failing = {{"A.Fails", "a message"}};
  slow.failing = {{"A.Fails", "a message"}, {"A.IsSlow", std::string(kAtTimeLimit)}};
  other.failing = {{"A.Fails", "another one"}};
  EXPECT_TRUE(agree(slow, fast) && agree(fast, slow));
  EXPECT_FALSE(agree(slow, other));
}

// An extra test fails beside a bug that does not fail it, as with a step written for its core
// points.
TEST_F(Signatures, LeaveOutExtraTestsThatFailForAReasonOfTheirOwn) {
  LabResult result = failing_with("a message", "01");
  Signature bug = signature_of(result);
  bug.steps = {result.tests.front().spec->step};
  TestResult& extra = *std::ranges::find_if(
      result.tests, [](const TestResult& test) { return !test.spec->is_core; });
  extra.verdict = {.status = Status::kFail, .headline = "another message"};
  EXPECT_TRUE(is_named(bug, result));
  extra.cause = Cause{{extra.spec->step}, "", "", ""};
  EXPECT_TRUE(is_named(bug, result));
  extra.cause = Cause{bug.steps, "", "", ""};
  EXPECT_FALSE(is_named(bug, result)) << "then the bug does more than the known one";
  extra.verdict = {.status = Status::kPass};
  result.tests[1].verdict = {.status = Status::kFail, .headline = "another message"};
  EXPECT_FALSE(is_named(bug, result)) << "a core test that the bug does not fail";
}

// signatures.json with one bug whose only test has this message.
class SignaturesFile : public Signatures {
 protected:
  std::vector<Signature> written_and_read(const std::string& message) const {
    Kit made_up = kit;
    made_up.root = kit.build;
    const LabSpec& lab = kit.manifest.lab("05");
    fs::create_directories(signatures_file(made_up, lab).parent_path());
    write_signatures(made_up, lab, {bug_with(message)});
    return load_signatures(made_up, lab);
  }

  static Signature bug_with(const std::string& message) {
    Signature bug{};
    bug.name = "a-bug";
    bug.sentence = "a bug.";
    bug.failing = {{"A.Fails", message}};
    return bug;
  }
};

TEST_F(SignaturesFile, KeepsDigests) {
  const std::string digest = failing_tests(failing_with("a")).begin()->second;
  EXPECT_EQ(digest, "af63dc4c8601ec8c") << "that of FNV-1a";
  for (const std::string& message : {digest, std::string(), std::string(kAtTimeLimit)})
    EXPECT_EQ(written_and_read(message), std::vector{bug_with(message)}) << message;
}

TEST_F(SignaturesFile, IsRefusedWithTextsAndDamagedDigests) {
  for (const char* message :
       {"yours is [1 2 0]", "af63dc4c8601ec8", "af63dc4c8601ec8cc", "AF63DC4C8601EC8C"}) {
    try {
      written_and_read(message);
      ADD_FAILURE() << message << " is taken";
    } catch (const KitBroken& error) {
      EXPECT_TRUE(std::string(error.what())
                      .ends_with("signatures.json: a-bug, A.Fails: the message is no digest of 16 "
                                 "hexadecimal digits; ./lab signatures writes it again"))
          << error.what();
    }
  }
}

}  // namespace
}  // namespace kv::grader

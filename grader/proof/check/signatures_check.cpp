// By which messages a known bug is recognized, and what signatures.json may hold. The results are
// made up; nothing is built.

#include "base/text/errors.h"
#include "grader/harness/cost.h"
#include "grader/proof/check/bug_signatures.h"
#include "grader/proof/check/check.h"

namespace kv::grader {
namespace {

// One test fails, the first of a step.
LabResult failing_with(const LabSpec& lab, const std::string& message) {
  LabResult result{.lab = &lab, .state = LabState::kInProgress};
  for (const TestSpec& test : lab.tests)
    result.tests.push_back({.spec = &test, .verdict = {.status = Status::kPass}});
  result.tests.front().verdict = {.status = Status::kFail, .headline = message};
  return result;
}

Signature signature_of(const LabResult& result) {
  Signature bug{};
  bug.name = "a-bug";
  bug.sentence = "a bug.";
  bug.failing = failing_tests(result);
  return bug;
}

bool is_known(const Signature& bug, const LabSpec& lab, const std::string& message) {
  return !diagnosis_of({bug}, failing_with(lab, message), Causes::kNotSearched).text.empty();
}

void check_characters(const LabSpec& lab, Checks& checks) {
  const std::string message = "expected free [1 2 0], yours is [0 2 1]";
  const Signature bug = signature_of(failing_with(lab, message));
  std::string wrong;
  for (std::size_t i = 0; i < message.size(); ++i) {
    std::string other = message;
    ++other[i];
    if (is_known(bug, lab, other)) wrong += other + "\n";
  }
  for (const std::string& other : {std::string(), message + " ", bug.failing.begin()->second})
    if (is_known(bug, lab, other)) wrong += other + "\n";
  checks.expect(is_known(bug, lab, message) && wrong.empty(),
                "each character of a message decides whether a bug is known", wrong);
}

// Whatever the compiler makes of the last digits of a sum, and of basic blocks.
void check_numbers(const LabSpec& lab, Checks& checks) {
  const Signature sum =
      signature_of(failing_with(lab, "expected 0.50000001, yours is -1.2345678: row 3"));
  checks.expect(is_known(sum, lab, "expected 0.50000003, yours is -1.2345612: row 3") &&
                    !is_known(sum, lab, "expected 0.50000001, yours is -1.2465678: row 3") &&
                    !is_known(sum, lab, "expected 0.50000001, yours is -1.2345678: row 4"),
                "a bug is known by the first digits of a message");
  const std::string end = " with 100" + std::string(kMustNotGrow);
  const Signature cost = signature_of(
      failing_with(lab, "append() ran 3,000 basic blocks with 1,000 things and 12" + end));
  checks.expect(
      is_known(cost, lab, "append() ran 999 basic blocks with 1,000 things and 7" + end) &&
          !is_known(cost, lab, "append() ran 999 basic blocks with 1,500 things and 7" + end),
      "a bug is known whatever the count of basic blocks");
}

// In a lab of kernels, where messages name lines.
void check_places(const LabSpec& lab, Checks& checks) {
  const Signature bug = signature_of(failing_with(lab, "a race in copy.cu:12 and a.cu:7"));
  checks.expect(is_known(bug, lab, "a race in mine.cu:345 and b.cu:8") &&
                    !is_known(bug, lab, "a race at mine.cu:345 and b.cu:8"),
                "a bug is known at any line of a kernel");
}

// A test whose message is empty may say anything, but another has to say what is written.
void check_any_message(const LabSpec& lab, Checks& checks) {
  LabResult result = failing_with(lab, "a message");
  Signature bug = signature_of(result);
  const std::string& other = lab.tests[1].name;
  bug.failing[other] = "";
  const auto is_named = [&] {
    return !diagnosis_of({bug}, result, Causes::kNotSearched).text.empty();
  };
  bool holds = !is_named();
  for (const char* message : {"", "another message", "0000000000000000"}) {
    result.tests[1].verdict = {.status = Status::kFail, .headline = message};
    holds &= is_named();
  }
  bug.failing[lab.tests[0].name] = "";
  checks.expect(holds && !is_named(), "an empty message is any message, and names no bug alone");
}

void check_time_limits(Checks& checks) {
  Signature slow, fast, other;
  fast.failing = {{"A.Fails", "a message"}};
  slow.failing = {{"A.Fails", "a message"}, {"A.IsSlow", std::string(kAtTimeLimit)}};
  other.failing = {{"A.Fails", "another one"}};
  checks.expect(agree(slow, fast) && agree(fast, slow) && !agree(slow, other),
                "a test at its time limit is no difference between signatures");
}

// What is said of a bug for `./lab signatures --explain`.
void check_explained(const LabSpec& lab, Checks& checks) {
  const LabResult result = failing_with(lab, "yours is 0.12345678");
  const Signature now = signature_of(result);
  const std::string& first = lab.tests[0].name;
  const auto says = [&](const Signature& written) {
    return explained(now, written, messages_of(result));
  };
  const auto expect = [&](const std::string& text, const std::string& expected) {
    checks.expect(text == expected, "explained: " + expected.substr(0, expected.find('\n')), text);
  };
  const std::string message = "\n  yours is 0.123\n";
  expect(says(now), first + ": agrees" + message);
  expect(says(signature_of(failing_with(lab, "yours is 0.124"))),
         first + ": another message is written" + message);
  expect(says({}), first + ": is not written" + message);
  Signature more = now;
  more.failing["Z.Passes"] = "";
  expect(says(more), first + ": agrees" + message + "Z.Passes: passes, but is written\n");
}

// signatures.json with one bug whose only test has this message: the refusal, or nothing.
std::string refusal_of(const Kit& kit, const LabSpec& lab, const std::string& message) {
  Kit made_up = kit;
  made_up.root = kit.build / "made-up signatures";
  Signature bug = signature_of(failing_with(lab, ""));
  bug.failing = {{"A.Fails", message}};
  fs::create_directories(signatures_file(made_up, lab).parent_path());
  write_signatures(made_up, lab, {bug});
  try {
    const bool is_same = load_signatures(made_up, lab) == std::vector<Signature>{bug};
    return is_same ? "" : "another signature is read";
  } catch (const KitBroken& error) {
    return error.what();
  }
}

void check_file(const Kit& kit, const LabSpec& lab, Checks& checks) {
  const std::string digest = failing_tests(failing_with(lab, "a")).begin()->second;
  checks.expect(digest == "af63dc4c8601ec8c", "the digest of \"a\" is FNV-1a's", digest);
  for (const std::string& message : {digest, std::string(), std::string(kAtTimeLimit)}) {
    const std::string refusal = refusal_of(kit, lab, message);
    checks.expect(refusal.empty(), "signatures.json may have \"" + message + "\"", refusal);
  }
  const std::string why =
      "a-bug, A.Fails: the message is no digest of 16 hexadecimal digits; ./lab signatures writes "
      "it "
      "again";
  for (const std::string message :
       {"yours is [1 2 0]", "af63dc4c8601ec8", "af63dc4c8601ec8cc", "AF63DC4C8601EC8C"}) {
    const std::string refusal = refusal_of(kit, lab, message);
    checks.expect(refusal.ends_with("signatures.json: " + why),
                  "signatures.json must not have \"" + message + "\"", refusal);
  }
}

}  // namespace

void check_signatures(const Kit& kit, Checks& checks) {
  const LabSpec& lab = kit.manifest.labs.front();
  check_characters(lab, checks);
  check_numbers(lab, checks);
  check_places(kit.manifest.lab("06"), checks);
  check_any_message(lab, checks);
  check_time_limits(checks);
  check_explained(lab, checks);
  check_file(kit, lab, checks);
}

}  // namespace kv::grader

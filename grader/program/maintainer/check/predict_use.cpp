#include "grader/program/maintainer/check/parts_of_groups.h"
#include "grader/program/student/predict/predict_session.h"

namespace kv::grader {
namespace {

struct LinePair {
  const char* typed;
  const char* printed;
};

void check_lines(Checks& checks) {
  constexpr LinePair kEqual[] = {{"FREE : [#3,4]", "free: 3 4"},
                                 {"refs:2:1   3 : 1 ", "refs: 2:1 3:1"},
                                 {"v1: 2.0 0.50 10.", "v1: 2 0.5 10"},
                                 {"cached:", "cached: "}};
  constexpr LinePair kDifferent[] = {
      {"free: 34", "free: 3 4"},         {"free: 4 3", "free: 3 4"},
      {"refs: 2 1", "refs: 2:1"},        {"free 3", "free: 3"},
      {"slots: 100", "slots: 1"},        {"attend: 2.05", "attend: 2.5"},
      {"append: none", "append_n: none"}};
  for (const auto& [typed, printed] : kEqual) {
    checks.expect(!first_difference({typed}, {printed}),
                  std::string("predict, the same line: ") + typed, printed);
  }
  for (const auto& [typed, printed] : kDifferent) {
    checks.expect(first_difference({typed}, {printed}).has_value(),
                  std::string("predict, another line: ") + typed, printed);
  }
}

void check_wrong_use(const KitCopy& copy, Checks& checks) {
  expect_sentence(checks, "predict, no lab", copy.lab({"predict"}), kExitUsage,
                  "LAB is required; run ./lab predict --help");
  expect_sentence(checks, "predict, no such lab", copy.lab({"predict", "99"}), kExitUsage,
                  "there is no lab \"99\"");
  expect_sentence(checks, "predict, no such question",
                  copy.lab({"predict", "01", "--question", "1,9"}), kExitUsage,
                  "lab 01 has no question 9; its questions are 1, 2, 3, 4");
}

void check_answers(const KitCopy& copy, Checks& checks) {
  const std::vector<std::string> first = {"predict", "1", "--question", "1"};
  const std::string right = "printf 'popleft: 0\\npopleft: 1\\nfree: 3 4 2\\n' | \"$0\" \"$@\"";
  expect_sentence(checks, "predict, a right answer", copy.run_in_shell(right, first), kExitGraded,
                  "\nRight.\n\n1 of 1 right\n");
  expect_sentence(checks, "predict, no answer", copy.lab(first), kExitNotFull,
                  "0 of 1 right, 1 not answered");
}

}  // namespace

void check_predict_use(const KitCopy& copy, Checks& checks) {
  check_lines(checks);
  check_wrong_use(copy, checks);
  check_answers(copy, checks);
}

}  // namespace kv::grader

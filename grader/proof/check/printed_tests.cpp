// A report prints a broken history as a test. Each known bug is found by the random histories; the
// tests that are printed then are compiled together, and run with the bug and with the solution.

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "base/process/parallel.h"
#include "grader/engine/variations/scratch_build.h"
#include "grader/engine/variations/variation.h"
#include "grader/proof/check/check.h"
#include "grader/proof/check/joint_tree.h"

namespace kv::grader {
namespace {

constexpr std::string_view kHeader = "the same as a test:\n";
constexpr std::string_view kNameInReport = "TEST(ShrunkHistory, Breaks)";
constexpr double kPrintedTestSeconds = 2;

// Why: their static variables are written by what looks at the state after each call, and a printed
// test looks after the last one only.
const std::set<std::string> kSeenByLooking = {"hit-keeps-earlier-blocks"};

// Labs with histories that no test can say, and why: reports print none of them.
const std::map<std::string, std::string> kWithoutTests = {
    {"05", "what the requests write is random"},
    {"07", "a step is computed after others have been scheduled"}};

struct PrintedTest {
  int variant;  // its number in the joint tree
  std::string bug;
  std::string name;  // "remove_one_way_ManyShortRuns"
  std::string text;
};

struct WhatIsPrinted {
  std::vector<PrintedTest> tests = {};
  std::map<std::string, int> without = {};  // how many stories no test can say, by reason
};

std::string as_name(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return !std::isalnum(c); }, '_');
  return text;
}

// The reason why a story ends without a test.
std::string why_no_test(const std::string& story) {
  if (story.find("earlier steps are left out") != story.npos) return "more calls than are shown";
  if (story.find("first: ") != story.npos) return "two objects";
  return "a call or an expectation without a line";
}

// The headers with which a printed test compiles.
std::string includes_of_histories(const Kit& kit, const LabSpec& lab) {
  std::set<std::string> includes;
  for (const auto& entry : fs::directory_iterator(kit.lab_folder(lab) / "tests")) {
    if (!entry.path().filename().string().ends_with("_history_test.cpp")) continue;
    for (const std::string& line : split_lines(read_file(entry.path())))
      if (line.starts_with("#include")) includes.insert(line + "\n");
  }
  return join({includes.begin(), includes.end()}, "");
}

class PrintedTests {
 public:
  PrintedTests(const Kit& kit, const LabSpec& lab, ScratchBuild& build)
      : kit_(kit),
        lab_(lab.with_tests([](const TestSpec& test) { return test.is_history(); })),
        build_(build),
        tree_(kit.build / "printed-tests") {}

  void check(Checks& checks);

 private:
  RunOptions options_for(int variant) const;
  void write_tree();
  WhatIsPrinted print();
  std::string source(const std::vector<PrintedTest>& tests) const;
  bool passes(const std::string& filter, int variant) const;
  void expect_few_without(const WhatIsPrinted& printed, Checks& checks) const;

  const Kit& kit_;
  LabSpec lab_;  // with its histories alone
  ScratchBuild& build_;
  fs::path tree_;
  std::vector<std::string> bugs_ = {};  // the first one is variant 1
};

RunOptions PrintedTests::options_for(int variant) const {
  RunOptions options{.seed = kit_.manifest.seed};
  JointTree::choose(variant, options);
  return options;
}

// Left out: bugs outside of bodies, which would need builds of their own; those that threads or
// freed memory decide about.
void PrintedTests::write_tree() {
  JointTree joint(kit_, lab_);
  for (const Variation& bug : load_variations(kit_, lab_, "known_bugs")) {
    const int variant = static_cast<int>(bugs_.size()) + 1;
    if (!bug.varies && joint.add(variant, bug.file, varied_text(kit_, lab_, bug), bug.includes))
      bugs_.push_back(bug.name);
  }
  joint.write(tree_);
}

WhatIsPrinted PrintedTests::print() {
  WhatIsPrinted printed;
  for (int variant = 1; variant <= std::ssize(bugs_); ++variant) {
    const std::string& bug = bugs_[static_cast<std::size_t>(variant) - 1];
    for (const TestResult& test :
         run_tests(kit_, build_.build_tree(), lab_, options_for(variant))) {
      const std::string story = test.failed() ? test.verdict.story.text() : "";
      if (story.empty()) continue;
      const std::string name = as_name(bug + "_" + test.spec->name);
      const std::size_t begin = story.find(kHeader);
      if (begin == story.npos) {
        ++printed.without[why_no_test(story)];
        continue;
      }
      const std::string text = story.substr(begin + kHeader.size());
      printed.tests.push_back(
          {variant, bug, name,
           replace_all(text, std::string(kNameInReport), "TEST(ShrunkHistory, " + name + ")")});
    }
  }
  return printed;
}

std::string PrintedTests::source(const std::vector<PrintedTest>& tests) const {
  std::string text = includes_of_histories(kit_, lab_) + "namespace kv::grader {\n";
  for (const PrintedTest& test : tests) text += test.text;
  return text + "}  // namespace kv::grader\n";
}

bool PrintedTests::passes(const std::string& filter, int variant) const {
  const fs::path program = build_.build_tree().program("lab" + lab_.id + "_printed_tests");
  return run(test_command(kit_, lab_, program, filter, kPrintedTestSeconds, options_for(variant)))
      .ok();
}

void PrintedTests::expect_few_without(const WhatIsPrinted& printed, Checks& checks) const {
  std::vector<std::string> reasons;
  int num_without = 0;
  for (const auto& [reason, num] : printed.without) {
    reasons.push_back(std::to_string(num) + " with " + reason);
    num_without += num;
  }
  checks.expect(num_without <= std::ssize(printed.tests),
                "lab " + lab_.id + ": " + std::to_string(num_without) +
                    " stories that no test can say, " + join(reasons, ", "));
}

void PrintedTests::check(Checks& checks) {
  write_tree();
  build_.build(lab_, tree_, "lab" + lab_.id + "_tests");
  const WhatIsPrinted printed = print();
  write_file(build_.build_tree().folder() / "printed" / ("lab" + lab_.id + ".cpp"),
             source(printed.tests));
  const Outcome built = build_.try_build(lab_, tree_, "lab" + lab_.id + "_printed_tests");
  const std::string name = "lab " + lab_.id + ": " + std::to_string(printed.tests.size()) +
                           " printed tests of " + std::to_string(bugs_.size()) + " known bugs";
  checks.expect(built.ok() && !printed.tests.empty(), name + " compile", built.output);
  if (!built.ok()) return;
  std::vector<std::string> wrong(printed.tests.size());
  in_parallel(printed.tests.size(), [&](std::size_t i) {
    const PrintedTest& test = printed.tests[i];
    const std::string filter = "ShrunkHistory." + test.name;
    if (!kSeenByLooking.contains(test.bug) && passes(filter, test.variant))
      wrong[i] += "passes with the bug:\n" + test.text;
    if (!passes(filter, 0)) wrong[i] += "fails with the solution:\n" + test.text;
  });
  checks.expect(join(wrong, "").empty(), name + " fail with the bug and pass with the solution",
                join(wrong, ""));
  expect_few_without(printed, checks);
}

}  // namespace

void check_printed_tests(const Kit& kit, Checks& checks) {
  ScratchBuild build = shared_scratch_build(kit);
  for (const LabSpec& lab : kit.manifest.labs) {
    const bool has_tests = !kWithoutTests.contains(lab.id) && !lab.is_cuda();
    if (has_tests) PrintedTests(kit, lab, build).check(checks);
  }
}

}  // namespace kv::grader

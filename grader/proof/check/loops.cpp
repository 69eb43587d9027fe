#include "grader/engine/cause/cause.h"
#include "grader/engine/grading/locate.h"
#include "grader/engine/report/report.h"
#include "grader/proof/check/beginner_bug.h"
#include "grader/proof/check/parts_of_groups.h"

namespace kv::grader {
namespace {

// Its list grows until the memory of a test is used up.
constexpr BeginnerBug kGrowsForever = {
    "a list that never ends", "    block = block->next_free_block;\n  }\n  return blocks;\n",
    "  }\n  return blocks;\n"};

constexpr BeginnerBug kWalksFromTheHead = {
    "a walk from the head for each block",
    "  KVCacheBlock* block = sentinel_.next_free_block;\n  while (block != &sentinel_) {\n",
    "  KVCacheBlock* block = sentinel_.next_free_block;\n  while (block != &sentinel_) {\n"
    "    block = sentinel_.next_free_block;\n"
    "    for (std::size_t i = 0; i < blocks.size(); ++i) block = block->next_free_block;\n"};

// Why a budget: with a second for each of these tests, the search would not come to its end.
void check_cause_of_loop(const Kit& kit, ScratchBuild& build, Checks& checks) {
  const LabSpec lab = kit.manifest.labs.front().with_tests([](const TestSpec& test) {
    return (test.step == "1.1" || test.step == "1.2") && test.group == "step";
  });
  LabResult result = graded(kit, build, lab, kGrowsForever);
  cause::add_causes(kit, build.build_tree(), build.stage(), {.seed = kit.manifest.seed}, {},
                    result);
  std::string wrong = result.cause_search;
  int num_failed = 0;
  for (const TestResult& test : result.tests) {
    num_failed += test.failed() ? 1 : 0;
    if (test.failed() && (!test.cause || test.cause->place != "1.1"))
      wrong += "\n" + test.spec->name + " has no cause";
  }
  checks.expect(wrong.empty() && num_failed > 5,
                "a loop that uses up the memory is found as the cause of " +
                    std::to_string(num_failed) + " tests",
                wrong);
}

// Many tests are stopped in a function that ends, but walks too far: the cost test says so.
void check_slow_call(const Kit& kit, ScratchBuild& build, Checks& checks) {
  const LabSpec lab = kit.manifest.labs.front().with_tests([](const TestSpec& test) {
    return test.name.find("ListsManyBlocks") != std::string::npos || test.group == "cost";
  });
  LabResult result = graded(kit, build, lab, kWalksFromTheHead);
  explain_slow_calls(result);
  const std::string text = findings_text(result, "--all");
  const std::string stopped = failure_text(result, result.tests.front());
  const std::string why =
      missing_in(text, {"\n    FreeQueueCost.OfListing  (step 1.1"}) +
      missing_in(next_lines(result, {.name = "starter", .tree = {}, .stage = {}}, {}),
                 {"next: fix step 1.1 get_all_free_blocks"}) +
      missing_in(stopped, {"its time is used up in get_all_free_blocks, line 2",
                           "\n   FreeQueueCost.OfListing shows why: get_all"});
  checks.expect(why.empty(), "a call that costs too much", why);
}

}  // namespace

void check_loops(const Kit& kit, ScratchBuild& build, Checks& checks) {
  check_cause_of_loop(kit, build, checks);
  check_slow_call(kit, build, checks);
}

}  // namespace kv::grader

// What a fork and its copies may cost: counted, never timed.

#include <gtest/gtest.h>

#include "07-serving/tests/fork_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(SchedulerCost, OfForking) {
  SPEC("fork_request has a fixed cost for each token of the parent, however many requests wait",
       "7.17 fork_request", "O(tokens of the parent)");
  expect_cost(kForkingCost);
  expect_cost(kEachForkedTokenCost);
}

TEST(SchedulerCost, OfCopying) {
  SPEC("copy_blocks looks at what it copies, and asks for no memory", "7.18 copy_blocks",
       "O(copied numbers)", "allocates nothing");
  expect_cost(kCopyingCost);
  expect_cost(kCopyingBeforeCost);
  expect_cost(kEachCopiedSlotCost);
}

}  // namespace
}  // namespace kv::grader

// Limits of the cost of a call: counted, never timed.

#include <gtest/gtest.h>

#include "01-free-queue/tests/free_queue_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(FreeQueueCost, OfRemove) {
  SPEC("remove costs the same wherever the block is and however many are free", "1.2 remove");
  expect_cost(kRemoveCost<FreeKVCacheBlockQueue>);
  expect_cost(kCountCost<FreeKVCacheBlockQueue>);
}

TEST(FreeQueueCost, OfPopleft) {
  SPEC("popleft costs the same however many blocks are free", "1.3 popleft");
  expect_cost(kPopleftCost<FreeKVCacheBlockQueue>);
}

TEST(FreeQueueCost, OfAppend) {
  SPEC("append costs the same however many blocks are free", "1.4 append");
  expect_cost(kAppendCost<FreeKVCacheBlockQueue>);
}

TEST(FreeQueueCost, OfPopleftN) {
  SPEC("popleft_n has a fixed cost for each block it takes, and none for those it leaves",
       "1.5 popleft_n");
  expect_cost(kPopleftNCost);
  expect_cost(kEachPopleftNCost);
}

TEST(FreeQueueCost, OfAppendN) {
  SPEC("append_n has a fixed cost for each block of its list, and none for those in the queue",
       "1.6 append_n");
  expect_cost(kAppendNCost);
  expect_cost(kEachAppendNCost);
}

TEST(FreeQueueCost, OfCompactFreeQueue) {
  SPEC("remove, popleft and append cost the same however many blocks are free",
       "1.10 CompactFreeQueue::append");
  expect_cost(kRemoveCost<CompactFreeQueue>);
  expect_cost(kPopleftCost<CompactFreeQueue>);
  expect_cost(kAppendCost<CompactFreeQueue>);
  expect_cost(kCountCost<CompactFreeQueue>);
}

}  // namespace
}  // namespace kv::grader

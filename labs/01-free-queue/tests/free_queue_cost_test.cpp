// Limits of the cost of a call: counted, never timed.

#include <gtest/gtest.h>

#include "01-free-queue/tests/free_queue_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(FreeQueueCost, OfListing) {
  SPEC("get_all_free_blocks has a fixed cost for each block that it lists",
       "1.1 get_all_free_blocks", "O(n)");
  expect_cost(kEachListingCost<FreeKVCacheBlockQueue>);
}

TEST(FreeQueueCost, OfRemove) {
  SPEC("remove costs the same wherever the block is and however many are free", "1.2 remove",
       "O(1)", "allocates nothing");
  expect_cost(kRemoveCost<FreeKVCacheBlockQueue>);
  expect_cost(kEachRemoveCost<FreeKVCacheBlockQueue>);
  expect_cost(kCountCost<FreeKVCacheBlockQueue>);
}

TEST(FreeQueueCost, OfPopleft) {
  SPEC("popleft costs the same however many blocks are free", "1.3 popleft", "O(1)",
       "allocates nothing");
  expect_cost(kPopleftCost<FreeKVCacheBlockQueue>);
  expect_cost(kEachPopleftCost<FreeKVCacheBlockQueue>);
}

TEST(FreeQueueCost, OfAppend) {
  SPEC("append costs the same however many blocks are free", "1.4 append", "O(1)",
       "allocates nothing");
  expect_cost(kAppendCost<FreeKVCacheBlockQueue>);
  expect_cost(kEachAppendCost<FreeKVCacheBlockQueue>);
}

TEST(FreeQueueCost, OfPopleftN) {
  SPEC("popleft_n has a fixed cost for each block it takes, and none for those it leaves",
       "1.5 popleft_n", "O(num_blocks)");
  expect_cost(kPopleftNCost);
  expect_cost(kEachPopleftNCost);
}

TEST(FreeQueueCost, OfAppendN) {
  SPEC("append_n has a fixed cost for each block of its list, and none for those in the queue",
       "1.6 append_n", "O(blocks.size())", "allocates nothing");
  expect_cost(kAppendNCost);
  expect_cost(kEachAppendNCost);
}

TEST(FreeQueueCost, OfRefusedAppendN) {
  SPEC("a refused append_n takes its blocks back at a fixed cost for each", "1.6 append_n",
       "O(blocks.size())");
  expect_cost(kRefusedAppendNCost);
}

TEST(FreeQueueCost, OfPrependN) {
  SPEC("prepend_n has a fixed cost for each block of its list, and none for those in the queue",
       "1.11 prepend_n", "O(blocks.size())", "allocates nothing");
  expect_cost(kPrependNCost);
  expect_cost(kEachPrependNCost);
}

TEST(FreeQueueCost, OfCompactFreeQueue) {
  SPEC("remove, popleft and append cost the same however many blocks are free",
       "1.10 CompactFreeQueue::append", "1.7 O(n)", "1.8 O(1)", "1.8 allocates nothing", "1.9 O(1)",
       "1.9 allocates nothing", "O(1)", "allocates nothing");
  expect_cost(kEachListingCost<CompactFreeQueue>);
  expect_cost(kRemoveCost<CompactFreeQueue>);
  expect_cost(kPopleftCost<CompactFreeQueue>);
  expect_cost(kAppendCost<CompactFreeQueue>);
  expect_cost(kEachRemoveCost<CompactFreeQueue>);
  expect_cost(kEachPopleftCost<CompactFreeQueue>);
  expect_cost(kEachAppendCost<CompactFreeQueue>);
  expect_cost(kCountCost<CompactFreeQueue>);
}

}  // namespace
}  // namespace kv::grader

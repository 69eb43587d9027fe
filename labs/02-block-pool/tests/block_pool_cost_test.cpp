// Limits of the cost of a call: counted, never timed.

#include <gtest/gtest.h>

#include "02-block-pool/tests/block_pool_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(BlockPoolCost, OfCounting) {
  SPEC("get_num_free_blocks costs the same however large the pool is", "2.1 get_num_free_blocks",
       "O(1)");
  expect_cost(kCountCost);
}

TEST(BlockPoolCost, OfClaiming) {
  SPEC("get_new_blocks has a fixed cost for each block it gives, and none for the others",
       "2.2 get_new_blocks", "O(num_blocks)");
  expect_cost(kClaimCost);
  expect_cost(kEachClaimCost);
}

TEST(BlockPoolCost, OfTouching) {
  SPEC("touch has a fixed cost for each block listed, wherever it is, and allocates nothing",
       "2.3 touch", "O(blocks.size())", "allocates nothing");
  expect_cost(kTouchCost);
  expect_cost(kEachTouchCost);
  expect_cost(kManyTouchesCost);
}

TEST(BlockPoolCost, OfFreeing) {
  SPEC("free_blocks has a fixed cost for each block listed, and allocates nothing",
       "2.4 free_blocks", "O(ordered_blocks.size())", "allocates nothing");
  expect_cost(kFreeCost);
  expect_cost(kEachFreeCost);
  expect_cost(kManyFreesCost);
}

TEST(BlockPoolCost, OfRefusedFreeing) {
  SPEC("a refused free_blocks costs as much in a large pool as in a small one", "2.4 free_blocks",
       "O(ordered_blocks.size())");
  expect_cost(kRefusedFreeCost);
}

TEST(BlockPoolCost, OfFreeingUnhashedFirst) {
  SPEC("free_blocks has a fixed cost for each block listed, whichever end of the queue it joins",
       "2.6 free_unhashed_first", "O(ordered_blocks.size())");
  expect_cost(kFreeUnhashedFirstCost);
  expect_cost(kEachFreeUnhashedFirstCost);
}

TEST(BlockPoolCost, OfUsage) {
  SPEC("get_usage costs the same however large the pool is, and counting while blocks are in use",
       "2.5 get_usage", "O(1)", "2.1 O(1)");
  expect_cost(kUsageCost);
  expect_cost(kCountInUseCost);
}

}  // namespace
}  // namespace kv::grader

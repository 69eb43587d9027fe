// What a call of a BlockManager may cost: counted, never timed.

#include <gtest/gtest.h>

#include "04-kv-cache-manager/tests/block_manager_costs.h"
#include "04-kv-cache-manager/tests/block_manager_recorder.h"

namespace kv::grader {
namespace {

TEST(BlockManagerCost, OfTaking) {
  SPEC("a block is taken without a look at the others", kBlockManager, "4.13 O(1) expected");
  expect_cost(kTakingCost);
}

TEST(BlockManagerCost, OfFreeing) {
  SPEC("a block is freed without a look at the others, and without memory", kBlockManager,
       "4.16 O(its blocks)", "4.16 allocates nothing");
  expect_cost(kEachDeallocatedCost);
}

TEST(BlockManagerCost, OfGrowing) {
  SPEC("a token more costs the same in a long sequence as in a short one", kBlockManager,
       "4.14 O(1)", "4.15 O(new blocks)", "4.17 O(blocks cached)");
  expect_cost(kGrowingCost);
}

TEST(BlockManagerCost, OfAMiss) {
  SPEC("the search ends at the first block that is not found", kBlockManager,
       "4.18 O(blocks found + 1)");
  expect_cost(kMissCost);
}

TEST(BlockManagerCost, OfReviving) {
  SPEC("a hit leaves the free queue without a search, however many blocks are free", kBlockManager,
       "4.20 O(its blocks)");
  expect_cost(kRevivingCost);
  expect_cost(kEachGivenCost);
}

}  // namespace
}  // namespace kv::grader

// What a call may cost: counted, never timed.

#include <gtest/gtest.h>

#include "04-kv-cache-manager/tests/beside_others_costs.h"
#include "04-kv-cache-manager/tests/kv_cache_manager_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(ManagerCost, OfAppending) {
  SPEC("append has a fixed cost for each new block, however long the table is",
       "4.1 BlockTable::append", "O(new_blocks.size())");
  expect_cost(kEachAppendCost);
  expect_cost(kOneAppendCost);
}

TEST(ManagerCost, OfASlot) {
  SPEC("slot costs the same at every position of every table, and allocates nothing",
       "4.2 BlockTable::slot", "O(1)", "allocates nothing");
  expect_cost(kSlotCost);
}

TEST(ManagerCost, OfASlotMapping) {
  SPEC("slot_mapping has a fixed cost for each token, however long table and blocks are",
       "4.3 BlockTable::slot_mapping", "O(num_tokens)");
  expect_cost(kEachSlotCost);
  expect_cost(kFewSlotsCost);
  expect_cost(kLargeBlockCost);
}

TEST(ManagerCost, OfFinding) {
  SPEC(
      "get_computed_blocks has a fixed cost for each block found, and asks memory for the result "
      "only",
      "4.4 get_computed_blocks", "O(blocks found + 1)", "nothing but the result");
  expect_cost(kFindingCost);
  expect_cost(kFindingNothingCost);
  expect_cost(kEachFoundCost);
}

TEST(ManagerCost, OfAsking) {
  SPEC(
      "get_num_blocks_to_allocate has a fixed cost for each hit, however long the table is, and "
      "allocates nothing",
      "4.6 allocate_slots", "4.5 O(hits)", "4.5 allocates nothing");
  expect_cost(kAskingCost);
  expect_cost(kEachHitAskedCost);
}

TEST(ManagerCost, OfAllocating) {
  SPEC(
      "allocate_slots has a fixed cost for each block that it adds or caches, however long the "
      "request is",
      "4.6 allocate_slots", "O(blocks added or cached)");
  expect_cost(kDecodingCost);
  expect_cost(kEachAllocatedCost);
}

TEST(ManagerCost, OfFreeing) {
  SPEC("free has a fixed cost for each block of the request, and none for those of others",
       "4.7 free", "O(its blocks)");
  expect_cost(kFreeingBesideCost);
  expect_cost(kEachFreedCost);
  expect_cost(kRequestBesideCost);
}

TEST(ManagerCost, OfTheCommonPrefix) {
  SPEC("get_num_common_prefix_blocks looks as far as the common prefix, and allocates nothing",
       "4.9 get_num_common_prefix_blocks", "O(result + 1)", "allocates nothing");
  expect_cost(kNothingInCommonCost);
  expect_cost(kCommonBesideCost);
  expect_cost(kEachInCommonCost);
  expect_cost(kSharedByManyCost);
}

TEST(ManagerCost, OfForking) {
  SPEC("fork and the first write of a fork have a fixed cost for each block", "4.12 accept",
       "4.10 O(parent's blocks)", "4.11 O(its blocks)", "O(blocks of both)");
  expect_cost(kEachForkedCost);
  expect_cost(kEachUnsharedCost);
  expect_cost(kEachAcceptedCost);
  expect_cost(kForkBesideCost);
}

}  // namespace
}  // namespace kv::grader

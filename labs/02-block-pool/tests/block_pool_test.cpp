// Counting, claiming and touching.

#include <gtest/gtest.h>

#include "02-block-pool/tests/recorded_pool.h"

namespace kv::grader {
namespace {

TEST(BlockPoolCounts, AllButTheNullBlockAreFree) {
  SPEC("the null block does not count as free", "2.1 get_num_free_blocks");
  RecordedPool pool(5);
  EXPECT_EQ(pool.raw().get_num_free_blocks(), 4u);
  pool.expect_free({1, 2, 3, 4});
  pool.audit();
}

TEST(BlockPoolCounts, APoolOfTheNullBlockHasNone) {
  SPEC("a pool of nothing but the null block has no free block", "2.1 get_num_free_blocks");
  RecordedPool pool(1);
  EXPECT_EQ(pool.raw().get_num_free_blocks(), 0u);
}

TEST(BlockPoolCounts, NoPoolOfNothing) {
  SPEC("0 blocks, or blocks of 0 tokens, are refused", "2.1 get_num_free_blocks");
  EXPECT_EQ(BlockPool(2, 1).get_num_free_blocks(), 1u) << "one token is enough for a block";
  EXPECT_THROW(BlockPool(0, 1), ContractViolation) << "there is no null block";
  EXPECT_THROW(BlockPool(2, 0), ContractViolation) << "a block holds at least one token";
}

TEST(BlockPoolClaim, TakesTheLongestFree) {
  SPEC("get_new_blocks takes from the head of the queue", "2.2 get_new_blocks");
  RecordedPool pool(6);
  pool.expect_new_blocks(2, Ids{1, 2});
  pool.expect_new_blocks(1, Ids{3});
  pool.expect_free({4, 5});
  pool.audit();
}

TEST(BlockPoolClaim, EachHasOneUser) {
  SPEC("a claimed block has ref_cnt 1", "2.2 get_new_blocks");
  RecordedPool pool(4);
  pool.get_new_blocks(2);
  pool.expect_ref_cnt(1, 1);
  pool.expect_ref_cnt(2, 1);
  pool.expect_ref_cnt(3, 0);
}

TEST(BlockPoolClaim, AllOrNothing) {
  SPEC("more blocks than are free: nullopt, and nothing has changed", "2.2 get_new_blocks");
  RecordedPool pool(4);
  pool.expect_new_blocks(4, std::nullopt);
  pool.expect_free({1, 2, 3});
  pool.expect_ref_cnt(1, 0);
  pool.expect_new_blocks(3, Ids{1, 2, 3});
  pool.expect_new_blocks(0, Ids{});
  pool.expect_new_blocks(1, std::nullopt);
  pool.audit();
}

TEST(BlockPoolTouch, RevivesAFreeBlock) {
  SPEC("a free block that is touched leaves the queue from where it stands", "2.3 touch");
  RecordedPool pool(5);
  pool.touch({3});
  pool.expect_ref_cnt(3, 1);
  pool.expect_free({1, 2, 4});
  pool.audit();
}

TEST(BlockPoolTouch, CountsEveryUser) {
  SPEC("a block in use that is touched has one user more", "2.3 touch");
  RecordedPool pool(4);
  pool.get_new_blocks(1);
  pool.touch({1, 2});
  pool.expect_ref_cnt(1, 2);
  pool.expect_ref_cnt(2, 1);
  pool.expect_free({3});
  pool.audit();
}

TEST(BlockPoolTouch, MayNameABlockTwice) {
  SPEC("a block that is listed twice has two users more", "2.3 touch");
  RecordedPool pool(4);
  pool.touch({2, 2});
  pool.expect_ref_cnt(2, 2);
  pool.expect_free({1, 3});
  pool.audit();
}

TEST(BlockPoolTouch, RefusesAStranger) {
  SPEC("a block of another pool refuses the whole touch", "2.3 touch");
  RecordedPool pool(4);
  RecordedPool other(4);
  pool.touch({1});
  std::vector<KVCacheBlock*> mixed = {&pool.block(2), &other.block(2)};
  log_step("touch(#2, #2 of another pool)");
  expect_refused(pool, "one block is of another pool", [&] { pool.raw().touch(mixed); });
  pool.audit();
}

}  // namespace
}  // namespace kv::grader

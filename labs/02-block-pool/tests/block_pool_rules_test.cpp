// The null block, usage, cached blocks, and what is refused for extra points.

#include <gtest/gtest.h>

#include "02-block-pool/tests/recorded_pool.h"
#include "grader/harness/near.h"

namespace kv::grader {
namespace {

void expect_usage(RecordedPool& pool, double expected) {
  // One division and one subtraction round, so a few units in the last place.
  constexpr double kTolerance = sum_tolerance<double>(2);
  const double usage = pool.raw().get_usage();
  if (!near(usage, expected, kTolerance)) {
    ADD_FAILURE() << "get_usage() should be " << expected << ", yours is " << usage;
  }
}

TEST(BlockPoolNull, TouchSkipsIt) {
  SPEC("touching the null block changes nothing", "2.3 touch");
  RecordedPool pool(4);
  pool.touch({0, 2, 0});
  pool.expect_ref_cnt(0, 0);
  pool.expect_ref_cnt(2, 1);
  pool.audit();
}

TEST(BlockPoolNull, FreeSkipsIt) {
  SPEC("freeing the null block changes nothing", "2.4 free_blocks");
  RecordedPool pool(4);
  pool.get_new_blocks(1);
  pool.free_blocks({0, 1, 0});
  pool.expect_free({2, 3, 1});
  pool.expect_ref_cnt(0, 0);
  pool.audit();
}

TEST(BlockPoolFree, KeepsTheHash) {
  SPEC("a freed block stays cached until it is reused", "2.4 free_blocks");
  RecordedPool pool(4);
  pool.get_new_blocks(2);
  pool.seal(1);
  pool.free_blocks({2, 1});
  EXPECT_EQ(cached_ids(pool.raw()), Ids{1}) << "free_blocks is no eviction";
  pool.touch({1});
  EXPECT_EQ(cached_ids(pool.raw()), Ids{1}) << "a revived block still holds what it held";
  pool.audit();
}

TEST(BlockPoolFree, EvictsOnReuseOnly) {
  SPEC("get_new_blocks forgets what the block held, and no other block", "2.4 free_blocks");
  RecordedPool pool(4);
  pool.get_new_blocks(3);
  pool.seal(1);
  pool.seal(2);
  pool.free_blocks({2, 1});
  pool.get_new_blocks(1);
  EXPECT_EQ(cached_ids(pool.raw()), Ids{1}) << "block 2 was claimed, block 1 was not";
  pool.audit();
}

TEST(BlockPoolFree, WithCachingOffNothingIsForgotten) {
  SPEC("with caching off, get_new_blocks does not ask lab 03", "2.4 free_blocks");
  RecordedPool pool(3, false);
  pool.get_new_blocks(2);
  pool.seal(1);
  pool.free_blocks({1});
  pool.get_new_blocks(1);
  EXPECT_EQ(cached_ids(pool.raw()), Ids{1}) << "nobody looks at hashes when caching is off";
}

TEST(BlockPoolUsage, CountsBlocksInUse) {
  SPEC("usage is the share of blocks in use, without the null block", "2.5 get_usage");
  RecordedPool pool(5);
  expect_usage(pool, 0);
  pool.get_new_blocks(1);
  expect_usage(pool, 0.25);
  pool.touch({1});
  expect_usage(pool, 0.25);
  pool.get_new_blocks(3);
  expect_usage(pool, 1);
  pool.free_blocks({2, 3});
  expect_usage(pool, 0.5);
}

TEST(BlockPoolUsage, APoolOfTheNullBlockIsUnused) {
  SPEC("a pool that holds nothing but the null block is 0 used", "2.5 get_usage");
  RecordedPool pool(1);
  expect_usage(pool, 0);
}

TEST(BlockPoolFree, RefusesAStrangerInTheMiddle) {
  SPEC("a block of another pool refuses the whole free_blocks", "2.4 free_blocks");
  RecordedPool pool(5);
  RecordedPool other(5);
  pool.get_new_blocks(3);
  other.get_new_blocks(3);
  pool.free_blocks({3});
  std::vector<KVCacheBlock*> mixed = {&pool.block(1), &other.block(2), &pool.block(2)};
  log_step("free_blocks(#1, #2 of another pool, #2)");
  expect_refused(pool, "one block is of another pool", [&] { pool.raw().free_blocks(mixed); });
  pool.audit();
}

TEST(BlockPoolFree, RefusesMoreThanIsHeld) {
  SPEC("a block listed more often than it is held refuses the whole call", "2.4 free_blocks");
  RecordedPool pool(6);
  pool.get_new_blocks(4);
  pool.touch({2});
  expect_refused(pool, "#2 is held twice and listed three times", [&] {
    pool.free_blocks({1, 2, 3, 2, 2, 4});
  });
  pool.audit();
  pool.free_blocks({2, 1, 2});
  pool.expect_free({5, 1, 2});
  pool.audit();
}

}  // namespace
}  // namespace kv::grader

// What a call may cost: counted, never timed.

#include <gtest/gtest.h>

#include "03-block-hashing/tests/prefix_cache_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(PrefixCacheCost, OfHashing) {
  SPEC("a new block costs the same however many were hashed before", "3.3 update_block_hashes");
  expect_cost(kHashingCost);
}

TEST(PrefixCacheCost, OfADuplicate) {
  SPEC("insert costs the same however many blocks hold the prefix already",
       "3.4 BlockHashToBlockMap::insert");
  expect_cost(kDuplicateCost);
}

TEST(PrefixCacheCost, OfCaching) {
  SPEC("cache_full_blocks has a fixed cost per new block, and none for those cached before",
       "3.11 cache_full_blocks");
  expect_cost(kCachingCost);
  expect_cost(kCachingOnCost);
}

TEST(PrefixCacheCost, OfOneLookup) {
  SPEC("get_cached_block costs the same however much is cached", "3.12 get_cached_block");
  expect_cost(kGetCachedBlockCost);
}

TEST(PrefixCacheCost, OfAHit) {
  SPEC(
      "find_longest_cache_hit has a fixed cost per hit, however much is cached and however long "
      "the prompt is",
      "3.13 find_longest_cache_hit");
  expect_cost(kHitCost);
  expect_cost(kEachHitCost);
  expect_cost(kMissCost);
}

TEST(PrefixCacheCost, OfAHitAhead) {
  SPEC("find_longest_cache_hit_ahead has a fixed cost per hit, as the plain form has",
       "3.19 find_longest_cache_hit_ahead");
  expect_cost(kHitAheadCost);
  expect_cost(kEachHitAheadCost);
}

TEST(PrefixCacheCost, OfEvicting) {
  SPEC("maybe_evict_cached_block costs the same however much is cached",
       "3.14 maybe_evict_cached_block");
  expect_cost(kEvictingCost);
}

}  // namespace
}  // namespace kv::grader

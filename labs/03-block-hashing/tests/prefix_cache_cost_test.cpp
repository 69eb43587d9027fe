// What a call may cost: counted, never timed.

#include <gtest/gtest.h>

#include "03-block-hashing/tests/prefix_cache_costs.h"
#include "03-block-hashing/tests/prefix_table_costs.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

TEST(PrefixCacheCost, OfATokenInAHash) {
  SPEC("a hash has a fixed cost for each token, and allocates nothing once it has run",
       "3.1 hash_block_tokens", "O(tokens + bytes", "allocates nothing once warm");
  expect_cost(kEachHashedCost);
}

TEST(PrefixCacheCost, OfAFeature) {
  SPEC("generate_block_hash_extra_keys has a fixed cost for each feature",
       "3.2 generate_block_hash_extra_keys", "O(features)");
  expect_cost(kEachFeatureCost);
}

TEST(PrefixCacheCost, OfHashing) {
  SPEC("a new block costs the same however many were hashed before", "3.3 update_block_hashes",
       "O(new full blocks)");
  expect_cost(kHashingCost);
}

TEST(PrefixCacheCost, OfADuplicate) {
  SPEC("insert costs the same however many blocks hold the prefix already",
       "3.4 BlockHashToBlockMap::insert", "O(1)");
  expect_cost(kDuplicateCost);
}

TEST(PrefixCacheCost, OfTheOldestDuplicate) {
  SPEC("finding and popping the oldest blocks of a prefix does not depend on how many there are",
       "3.6 BlockHashToBlockMap::pop", "3.4 O(1)", "3.5 O(1)", "O(1) expected");
  expect_cost(kOldestCost);
  expect_cost(kPopCost);
  expect_cost(kNextDuplicateCost);
}

TEST(PrefixCacheCost, OfComparing) {
  SPEC("is_same has a fixed cost for each token, and allocates nothing", "3.7 is_same", "O(tokens",
       "allocates nothing");
  expect_cost(kEachComparedCost);
  expect_cost(kEachKeyComparedCost);
}

TEST(PrefixCacheCost, OfAPrefix) {
  SPEC("find, intern and release cost the same however many prefixes are held, also after one",
       "3.10 PrefixTable::release", "3.8 O(1)", "3.8 allocates nothing", "3.9 O(1)",
       "O(1) expected");
  expect_cost(kFindPrefixCost);
  expect_cost(kInternCost);
  expect_cost(kReleaseCost);
  expect_cost(kFindSiblingCost);
  expect_cost(kInternSiblingCost);
  expect_cost(kReleaseSiblingCost);
}

TEST(PrefixCacheCost, OfCaching) {
  SPEC("cache_full_blocks has a fixed cost per new block, and none for those cached before",
       "3.11 cache_full_blocks", "O(new blocks)");
  expect_cost(kCachingCost);
  expect_cost(kCachingOnCost);
}

TEST(PrefixCacheCost, OfOneLookup) {
  SPEC("get_cached_block costs the same however much is cached", "3.12 get_cached_block", "O(1)");
  expect_cost(kGetCachedBlockCost);
}

TEST(PrefixCacheCost, OfAHit) {
  SPEC(
      "find_longest_cache_hit has a fixed cost per hit, however much is cached and however long "
      "the prompt is",
      "3.13 find_longest_cache_hit", "O(prefixes held");
  expect_cost(kHitCost);
  expect_cost(kEachHitCost);
  expect_cost(kMissCost);
}

TEST(PrefixCacheCost, OfAHitAhead) {
  SPEC(
      "find_longest_cache_hit_ahead has a fixed cost per hit and for a miss, as the plain form has",
      "3.19 find_longest_cache_hit_ahead");
  expect_cost(kHitAheadCost);
  expect_cost(kEachHitAheadCost);
  expect_cost(kMissAheadCost);
}

TEST(PrefixCacheCost, OfEvicting) {
  SPEC("maybe_evict_cached_block costs the same however much is cached",
       "3.14 maybe_evict_cached_block", "Cost: as 3.6");
  expect_cost(kEvictingCost);
}

TEST(PrefixCacheCost, OfAReset) {
  SPEC("reset_prefix_cache has a fixed cost for each block of the pool", "3.15 reset_prefix_cache",
       "O(n)");
  expect_cost(kResetCost);
}

TEST(PrefixCacheCost, OfEvictingByCall) {
  SPEC("evict_blocks has a fixed cost for each block listed", "3.17 evict_blocks",
       "O(block_ids.size())");
  expect_cost(kEvictBlocksCost);
}

TEST(PrefixCacheCost, OfEvents) {
  SPEC("take_events has a fixed cost for each event", "3.18 take_events", "O(events)");
  expect_cost(kEventsCost);
}

}  // namespace
}  // namespace kv::grader

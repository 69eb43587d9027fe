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

TEST(PrefixCacheCost, OfCaching) {
  SPEC("cache_full_blocks costs so much for each new block, and nothing for those cached before",
       "3.10 cache_full_blocks");
  expect_cost(kCachingCost);
  expect_cost(kCachingOnCost);
}

TEST(PrefixCacheCost, OfOneLookup) {
  SPEC("get_cached_block costs the same however much is cached", "3.11 get_cached_block");
  expect_cost(kGetCachedBlockCost);
}

TEST(PrefixCacheCost, OfAHit) {
  SPEC(
      "find_longest_cache_hit costs so much for each hit, however much is cached and however long "
      "the prompt is",
      "3.12 find_longest_cache_hit");
  expect_cost(kHitCost);
  expect_cost(kEachHitCost);
}

TEST(PrefixCacheCost, OfEvicting) {
  SPEC("maybe_evict_cached_block costs the same however much is cached",
       "3.13 maybe_evict_cached_block");
  expect_cost(kEvictingCost);
}

}  // namespace
}  // namespace kv::grader

// What a call may cost: counted, never timed. Here are the probes of a prefix table, when many
// prefixes are held: each after the one before, or all after one, as the prompts of a service that
// begin with the same instructions. Those of the cache are in prefix_cache_costs.h.

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "03-block-hashing/prefix_table.h"
#include "03-block-hashing/tests/prefix_cache_costs.h"
#include "grader/harness/cost.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

// A copy of this key needs memory of its own.
const ExtraKeys kLongKey = {"lora=" + std::string(60, 'a')};

Cost cost_of_each_hashed(std::size_t num_tokens) {
  const std::vector<TokenId> tokens(num_tokens, 1);
  hash_block_tokens(1, tokens, kLongKey);  // its memory is there now
  return share(cost_of([&] { hash_block_tokens(1, tokens, kLongKey); }), num_tokens);
}

Cost cost_of_each_key_hashed(std::size_t num_keys) {
  const std::vector<TokenId> tokens(16, 1);
  const ExtraKeys keys(num_keys, kLongKey[0]);
  hash_block_tokens(1, tokens, keys);
  return share(cost_of([&] { hash_block_tokens(1, tokens, keys); }), num_keys);
}

Cost cost_of_each_byte_hashed(std::size_t num_bytes) {
  const std::vector<TokenId> tokens(16, 1);
  const ExtraKeys keys = {std::string(num_bytes, 'a')};
  hash_block_tokens(1, tokens, keys);
  return share(cost_of([&] { hash_block_tokens(1, tokens, keys); }), num_bytes);
}

Cost cost_of_each_compared(std::size_t num_tokens) {
  const std::vector<TokenId> left(num_tokens, 1), right = left;
  const ExtraKeys no_keys;
  return share(cost_of([&] {
                 is_same({std::nullopt, left, no_keys}, {std::nullopt, right, no_keys});
               }),
               num_tokens);
}

Cost cost_of_each_key_compared(std::size_t num_keys) {
  const std::vector<TokenId> tokens(16, 1);
  const ExtraKeys left(num_keys, "image=0123456789abcdef@0"), right = left;
  return share(cost_of([&] {
                 is_same({std::nullopt, tokens, left}, {std::nullopt, tokens, right});
               }),
               num_keys);
}

enum class Shape { kChain, kSiblings };

// Each of one token more than the one before, or than the first. Each is held once.
template <Shape kShape>
struct ManyPrefixes {
  explicit ManyPrefixes(std::size_t num_prefixes) {
    std::optional<BlockHash> parent_hash;
    for (std::size_t i = 0; i < num_prefixes; ++i) {
      if (i == 1 || (i > 1 && kShape == Shape::kChain)) {
        parent = last;
        parent_hash = hash;
      }
      token = static_cast<TokenId>(i);
      hash = hash_block_tokens(parent_hash, {&token, 1}, kLongKey);
      last = table.intern(hash, content());
    }
  }

  BlockContent content() const { return {parent, {&token, 1}, kLongKey}; }

  PrefixTable table{1};
  std::optional<PrefixId> parent, last;  // parent: the prefix that the last one continues
  BlockHash hash = 0;
  TokenId token = 0;
};

template <Shape kShape>
Cost cost_of_finding_a_prefix(std::size_t num_prefixes) {
  ManyPrefixes<kShape> held(num_prefixes);
  return cost_of([&] { held.table.find(held.hash, held.content()); });
}

template <Shape kShape>
Cost cost_of_interning(std::size_t num_prefixes) {
  ManyPrefixes<kShape> held(num_prefixes);
  return cost_of([&] { held.table.intern(held.hash, held.content()); });
}

template <Shape kShape>
Cost cost_of_releasing(std::size_t num_prefixes) {
  ManyPrefixes<kShape> held(num_prefixes);
  return cost_of([&] { held.table.release(*held.last); });
}

const CostProbe kEachHashedCost{"hash_block_tokens(), for each token,", "tokens",
                                cost_of_each_hashed, Memory::kNone, 2'000};
const CostProbe kEachKeyHashedCost{"hash_block_tokens(), for each extra key,", "extra keys",
                                   cost_of_each_key_hashed, Memory::kNone, 2'000};
const CostProbe kEachByteHashedCost{"hash_block_tokens(), for each byte,", "bytes of an extra key",
                                    cost_of_each_byte_hashed, Memory::kNone, 2'000};
const CostProbe kEachComparedCost{"is_same(), for each token,", "tokens", cost_of_each_compared,
                                  Memory::kNone, 2'000};
const CostProbe kEachKeyComparedCost{"is_same(), for each extra key,", "extra keys",
                                     cost_of_each_key_compared, Memory::kNone, 2'000};
const CostProbe kFindPrefixCost{"find()", "prefixes held", cost_of_finding_a_prefix<Shape::kChain>};
const CostProbe kInternCost{"intern() of a prefix that is held", "prefixes held",
                            cost_of_interning<Shape::kChain>, Memory::kMayBeAskedFor};
const CostProbe kReleaseCost{"release()", "prefixes held", cost_of_releasing<Shape::kChain>,
                             Memory::kMayBeAskedFor};
const CostProbe kFindSiblingCost{"find()", "prefixes after the same one",
                                 cost_of_finding_a_prefix<Shape::kSiblings>, Memory::kNone, 2'000};
const CostProbe kInternSiblingCost{
    "intern() of a prefix that is held", "prefixes after the same one",
    cost_of_interning<Shape::kSiblings>, Memory::kMayBeAskedFor, 2'000};
const CostProbe kReleaseSiblingCost{"release()", "prefixes after the same one",
                                    cost_of_releasing<Shape::kSiblings>, Memory::kMayBeAskedFor,
                                    2'000};

TEST(PrefixCacheCost, OfATokenInAHash) {
  SPEC(
      "a hash has a fixed cost for each token, key and byte, and allocates nothing once it has run",
      "3.1 hash_block_tokens", "O(tokens + bytes", "allocates nothing once warm");
  expect_cost(kEachHashedCost);
  expect_cost(kEachKeyHashedCost);
  expect_cost(kEachByteHashedCost);
}

TEST(PrefixCacheCost, OfAFeature) {
  SPEC("generate_block_hash_extra_keys has a fixed cost for each feature, however long it is",
       "3.2 generate_block_hash_extra_keys", "O(features)");
  expect_cost(kEachFeatureCost);
  expect_cost(kLongFeatureCost);
}

TEST(PrefixCacheCost, OfHashing) {
  SPEC("a new block costs the same however many were hashed before", "3.3 update_block_hashes",
       "O(new full blocks)");
  expect_cost(kHashingCost);
}

TEST(PrefixCacheCost, OfADuplicate) {
  SPEC("insert costs the same however many blocks hold the prefix already, and in any order",
       "3.4 BlockHashToBlockMap::insert", "O(1)");
  expect_cost(kDuplicateCost);
  expect_cost(kEachDuplicateCost);
  expect_cost(kEachPrefixInsertedCost);
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
      "3.19 find_longest_cache_hit_ahead", "Does what 3.13 does");
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

// What allocate_slots refuses, and that a refused call and one without blocks change nothing; what
// it caches, by which hash, and collisions.

#include <cstdint>

#include "03-block-hashing/tests/colliding_blocks.h"
#include "04-kv-cache-manager/tests/recorded_manager.h"

namespace kv::grader {
namespace {

constexpr const char* kRefused = "4.6 allocate_slots";

TEST(AllocateSlots, ExhaustionTouchesNoHit) {
  SPEC("a request that does not fit leaves the ref counts of its hits and their place in the queue",
       kRefused, "nothing has changed", "4.5 hits that are free");
  RecordedManager manager({6, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {7, 7});
  manager.expect_allocated("A", 2, Ids{3});
  manager.admit("B", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const ManagerState before = manager.state();
  manager.expect_allocated("B", 5, std::nullopt, {.hits = {1, 2}});
  manager.expect_unchanged(before);
  manager.expect_table("B", {});
  manager.expect_allocated("B", 4, Ids{4, 5}, {.hits = {1, 2}});
  manager.audit();
}

TEST(AllocateRefused, NoNewToken) {
  SPEC("0 new tokens are refused, with hits and without", kRefused, "0 new tokens");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocation_refused("A", 0, "there is nothing to allocate for");
  manager.expect_allocation_refused("A", 0, "all there is is found", {.hits = {1}});
  manager.expect_allocation_refused("A", 0, "a lookahead is no token", {.num_lookahead_tokens = 3});
  manager.expect_allocated("A", 1, Ids{2}, {.hits = {1}});
  manager.expect_allocation_refused("A", 0, "there is nothing to allocate for");
}

TEST(AllocateRefused, ComputedTokensWithoutASlot) {
  SPEC("computed tokens that the table has no slots for are refused: their keys are nowhere",
       kRefused, "computed tokens without a slot");
  RecordedManager manager({8, 2});
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.compute("A", 1);
  manager.expect_allocation_refused("A", 1, "A has a computed token and no block");
  manager.request("A").num_computed_tokens = 0;
  manager.expect_allocated("A", 2, Ids{1});
  manager.compute("A", 3);
  manager.expect_allocation_refused("A", 1, "A has three computed tokens and two slots");
  manager.request("A").num_computed_tokens = 0xFFFF'FFFF'FFFF'FFFF;
  manager.expect_allocation_refused("A", 2, "A has more computed tokens than slots");
  RecordedManager with_a_hit({8, 2});
  with_a_hit.leave_behind({1, 2});
  with_a_hit.admit("B", {1, 2, 3});
  with_a_hit.compute("B", 2);
  with_a_hit.expect_allocation_refused("B", 1, "B counts its hit as computed already",
                                       {.hits = {1}});
}

TEST(AllocateRefused, HitsOfARunningRequest) {
  SPEC("a request that has blocks has its beginning, so it brings no hits", kRefused,
       "hits for a request that has blocks");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_allocated("A", 3, Ids{3, 4});
  manager.expect_allocation_refused("A", 1, "A has blocks", {.hits = {1}});
  manager.compute("A", 3);
  manager.expect_allocation_refused("A", 1, "A has this very block", {.hits = {3}});
}

TEST(AllocateRefused, HitsThatHoldSomethingElse) {
  SPEC("blocks without the hashes of the request's first blocks are refused, at every place",
       kRefused, "without the hashes of its first blocks", "refuse the whole call");
  RecordedManager manager({12, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.leave_behind({5, 6, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 9});
  for (const Ids& hits : {Ids{3}, {1, 4}, {2, 1}, {2}, {1, 1}, {5}, {1, 5}, {3, 2}}) {
    manager.expect_allocation_refused("A", 1, "a block holds other tokens", {.hits = hits});
  }
  manager.admit("B", {1, 2, 3});
  manager.expect_allocation_refused("B", 1, "B has one full block", {.hits = {1, 2}});
  manager.expect_allocated("A", 1, Ids{5}, {.hits = {1, 2}});
}

TEST(AllocateRefused, HitsThatWereEvictedSince) {
  SPEC("a hit that was given away after it was found is refused", kRefused,
       "without the hashes of its first blocks");
  RecordedManager manager({3, 2});
  manager.leave_behind({1, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_found("A", {1});
  manager.admit("B", {7, 7, 8});
  manager.expect_allocated("B", 3, Ids{2, 1});
  manager.expect_allocation_refused("A", 1, "#1 was evicted, and B holds it", {.hits = {1}});
}

TEST(AllocateRefused, HitsWithCachingOff) {
  SPEC("with caching off there are no hits", kRefused, "without the hashes of its first blocks");
  RecordedManager manager({8, 2, 100, false});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocation_refused("A", 1, "#1 has no hash", {.hits = {1}});
  manager.expect_allocated("A", 3, Ids{1, 2});
}

TEST(AllocateRefused, HitsOfAnotherPool) {
  SPEC("hits of another manager are refused as a whole", kRefused, "refuse the whole call");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  log_object(TestObject::kSecond);
  RecordedManager other({8, 2});
  other.leave_behind({1, 2, 3, 4});
  log_object(TestObject::kFirst);
  manager.admit("A", {1, 2, 3, 4, 5});
  auto hits = blocks_of(manager.pool(), {1});
  hits.push_back(&other.block(2));
  log_step("allocate_slots(A, 1), hits #1 and #2 of the second");
  expect_refused(manager, "#2 is of another pool", [&] {
    manager.raw().allocate_slots(manager.request("A"), 1, {.new_computed_blocks = hits});
  });
  manager.expect_allocated("A", 1, Ids{3}, {.hits = {1, 2}});
}

TEST(CommonPrefix, RefusedRequestsDoNotCount) {
  SPEC("a request whose hits are refused has no blocks: what the others share is as before",
       "4.9 get_num_common_prefix_blocks", "at the beginning of the request every",
       "4.6 refuse the whole call");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3});
  manager.expect_common("A", 2);
  log_object(TestObject::kSecond);
  RecordedManager other({8, 2});
  other.leave_behind({1, 2});
  log_object(TestObject::kFirst);
  manager.admit("B", {1, 2, 4});
  const std::vector<KVCacheBlock*> hits = {&other.block(1)};
  log_step("allocate_slots(B, 1), hit #1 of the second");
  expect_refused(manager, "#1 is of another pool", [&] {
    manager.raw().allocate_slots(manager.request("B"), 1, {.new_computed_blocks = hits});
  });
  manager.expect_common("A", 2);
}

TEST(AllocateRefused, WhatGetComputedBlocksRefuses) {
  SPEC("another block size and blocks without a hash are refused here too", kRefused,
       "a request that 4.4 refuses");
  RecordedManager manager({8, 2});
  manager.admit({.request_id = "A", .block_size = 4, .token_ids = {1, 2, 3, 4, 5}});
  manager.expect_allocation_refused("A", 5, "its blocks have 4 tokens");
  manager.admit("B", {1, 2, 3});
  manager.request("B").token_ids.push_back(4);
  manager.expect_allocation_refused("B", 4, "its second block is not hashed");
  manager.admit("C", {1, 2, 3});
  manager.expect_allocated("C", 3, Ids{1, 2});
}

TEST(AllocateSlots, FullBlocksAreCached) {
  SPEC("the blocks that are full of the new tokens are cached at once, and no other", kRefused,
       "full of computed and new tokens", "4.4 longest cached beginning");
  RecordedManager manager({6, 2});
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_allocated("A", 5, Ids{1, 2, 3});
  manager.expect_cached({1, 2});
  for (const std::size_t num_computed : {0u, 1u, 5u}) {
    manager.request("A").num_computed_tokens = num_computed;
    manager.expect_found("A", {1, 2});
  }
  EXPECT_HOLDS(manager.block(2).block_hash == manager.request("A").block_hashes[1])
      << "#2 should have the hash of block 1 of A";
  manager.admit("B", {1, 2, 3, 4, 5});
  manager.expect_found("B", {1, 2});
}

TEST(AllocateSlots, LookaheadOfAFullBlock) {
  SPEC("a block that lookahead tokens fill up is not full of tokens of the request", kRefused,
       "nor lookahead tokens");
  RecordedManager manager({8, 4});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  manager.expect_allocated("A", 6, Ids{1, 2}, {.num_lookahead_tokens = 2});
  manager.expect_cached({1});
}

TEST(AllocateSlots, AnEvictedBlockStaysForgotten) {
  SPEC("a block that is evicted while its request runs is not cached again by it", kRefused,
       "full of computed and new tokens");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.evict({1});
  manager.decode("A", 6);
  manager.expect_cached({2, 3});
  manager.audit();
}

TEST(AllocateSlots, CachesUpToTheModelsLength) {
  SPEC("however many tokens are new, the full blocks up to max_model_len are cached", kRefused,
       "full of computed and new tokens", "4.5 at most max_model_len");
  RecordedManager manager({8, 2, 5});
  manager.admit("A", {1, 2, 3, 4});
  manager.expect_allocated("A", 1, Ids{1});
  manager.compute("A", 1);
  manager.expect_allocated("A", SIZE_MAX, Ids{2, 3});
  manager.expect_cached({1, 2});
  RecordedManager shorter({8, 2, 4});
  shorter.admit("B", {1, 2, 3, 4, 5, 6});
  shorter.expect_allocated("B", 6, Ids{1, 2});
  shorter.expect_cached({1, 2});
  shorter.audit();
  RecordedManager with_hits({8, 2, 4});
  with_hits.leave_behind({1, 2, 3, 4, 5, 6});
  with_hits.admit("C", {1, 2, 3, 4, 5, 6, 7});
  with_hits.expect_allocated("C", 1, Ids{}, {.hits = {1, 2, 3}});
  with_hits.expect_table("C", {1, 2, 3});
  with_hits.audit();
}

TEST(AllocateSlots, HashesAreTheRequests) {
  SPEC(
      "the manager takes the hashes of the request and makes none: a block is hashed once in the "
      "life of a request",
      kRefused, "full of computed and new tokens");
  RecordedManager manager({8, 2});
  manager.admit("A", {1, 2, 3, 4, 5});
  for (BlockHash& hash : manager.request("A").block_hashes) hash ^= 77;
  manager.expect_allocated("A", 5, Ids{1, 2, 3});
  EXPECT_HOLDS(manager.block(1).block_hash == manager.request("A").block_hashes[0] &&
               manager.block(2).block_hash == manager.request("A").block_hashes[1])
      << "#1 and #2 should have the hashes that the request brought";
}

Tokens tokens_of(const std::array<TokenId, 16>& block, std::initializer_list<TokenId> more) {
  Tokens tokens(block.begin(), block.end());
  tokens.insert(tokens.end(), more);
  return tokens;
}

Tokens tokens_of(const std::array<TokenId, 16>& block, TokenId next) {
  Tokens tokens = tokens_of(block, {});
  tokens.insert(tokens.end(), 16, next);
  tokens.push_back(1);
  return tokens;
}

TEST(AllocateSlots, APoisonedChain) {
  SPEC(
      "[B C], then [A], then [A C], with A and B of one hash: no request is given the blocks of "
      "another text",
      kRefused, "4.4 longest cached beginning");
  for (const CollidingBlocks& pair : kCollidingWithoutParent) {
    RecordedManager manager({12, 16});
    manager.start("BC", tokens_of(pair.b, 3));
    manager.start("A", tokens_of(pair.a, {1}));
    ASSERT_SAME(manager.request("A").block_hashes[0], manager.request("BC").block_hashes[0])
        << "the hashes of A and B, which are equal by step 3.1";
    manager.expect_table("A", {4, 5});
    manager.start("AC", tokens_of(pair.a, 3));
    manager.expect_table("AC", {4, 6, 7});
    manager.admit("BCD", tokens_of(pair.b, 3));
    manager.expect_found("BCD", {1, 2});
    manager.audit();
  }
}

}  // namespace
}  // namespace kv::grader

// allocate_slots: miss, exhaustion, hits, growth, lookahead, and what is cached.

#include <cstdint>

#include "04-kv-cache-manager/tests/allocate_options.h"

namespace kv::grader {
namespace {

constexpr const char* kAllocate = "4.6 allocate_slots";

TEST(AllocateSlots, AMiss) {
  SPEC("a new request takes the blocks that were free the longest, and they begin its table",
       kAllocate, "next num_new_tokens tokens", "new ones are returned");
  RecordedManager manager({6, 4});
  manager.admit("A", {1, 2, 3, 4, 5, 6});
  manager.expect_allocated("A", 6, Ids{1, 2});
  manager.expect_table("A", {1, 2});
  manager.expect_free({3, 4, 5});
  manager.audit();
}

TEST(AllocateSlots, TwoRequests) {
  SPEC("each request has a table of its own", kAllocate, "next num_new_tokens tokens");
  RecordedManager manager({6, 2});
  manager.admit("A", {1, 2, 3});
  manager.admit("B", {4, 5, 6});
  manager.expect_allocated("A", 3, Ids{1, 2});
  manager.expect_allocated("B", 3, Ids{3, 4});
  manager.expect_table("A", {1, 2});
  manager.expect_table("B", {3, 4});
  manager.audit();
}

TEST(AllocateSlots, Exhaustion) {
  SPEC("too few blocks: nullopt, nothing has changed, and a request that fits is served", kAllocate,
       "fewer blocks are free", "nothing has changed");
  RecordedManager manager({5, 2});
  manager.admit("A", {1, 2, 3, 4});
  manager.expect_allocated("A", 4, Ids{1, 2});
  manager.admit("B", {5, 6, 7, 8, 9});
  const ManagerState before = manager.state();
  for (const std::size_t num_tokens : {5ul, 0x1'0000ul, 0x2'0002ul, 0x1'0000'0000ul, SIZE_MAX}) {
    manager.expect_allocated("B", num_tokens, std::nullopt);
    manager.expect_unchanged(before);
  }
  manager.expect_allocated("B", 2, std::nullopt, {.num_lookahead_tokens = 3});
  manager.expect_unchanged(before);
  manager.expect_allocated("B", 4, Ids{3, 4});
  manager.audit();
}

TEST(AllocateSlots, HitsBeginTheTable) {
  SPEC("hits get one user more and begin the table; only new blocks are returned", kAllocate,
       "touches the hits", "join the table in this order", "new ones are returned",
       "4.5 - hits, 0)");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_allocated("A", 1, Ids{3}, {.hits = {1, 2}});
  manager.expect_table("A", {1, 2, 3});
  manager.admit("B", {1, 2, 3, 4, 9, 9, 9});
  manager.expect_allocated("B", 3, Ids{4, 5}, {.hits = {1, 2}});
  manager.expect_table("B", {1, 2, 4, 5});
  manager.expect_ref_cnt(1, 2);
  manager.expect_ref_cnt(3, 1);
  manager.audit();
}

TEST(AllocateSlots, HitsLeaveTheQueueFirst) {
  SPEC("a hit at the head of the queue is not given away as a new block", kAllocate,
       "touches the hits, then takes new blocks");
  RecordedManager manager({5, 2});
  manager.leave_behind({1, 2});
  manager.leave_behind({5, 5, 6, 6, 7});
  manager.expect_free({1, 4, 3, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 1, Ids{4}, {.hits = {1}});
  manager.expect_table("A", {1, 4});
  manager.expect_cached({1, 2, 3});
  manager.audit();

  RecordedManager with_one_in_use({6, 2});
  with_one_in_use.leave_behind({1, 2, 3, 4});
  with_one_in_use.start("A", {1, 2, 9});
  with_one_in_use.leave_behind({7, 7, 7, 8});
  with_one_in_use.expect_free({2, 5, 4});
  with_one_in_use.start("B", {1, 2, 3, 4, 5});
  with_one_in_use.expect_table("B", {1, 2, 5});
}

TEST(AllocateSlots, HitsAreNotCachedAgain) {
  SPEC("a hit is cached already; what is new after it is cached as its child", kAllocate,
       "full of computed and new tokens");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.admit("B", {1, 2, 3, 4, 6, 6, 7, 7, 8});
  manager.expect_allocated("B", 5, Ids{4, 5, 6}, {.hits = {1, 2}});
  manager.expect_cached({1, 2, 4, 5});
  manager.admit("C", {1, 2, 3, 4, 6, 6, 7, 7, 8});
  manager.expect_found("C", {1, 2, 4, 5});

  RecordedManager with_fewer_hits({8, 2});
  with_fewer_hits.start("A", {1, 2, 3, 4, 5});
  with_fewer_hits.admit("B", {1, 2, 3, 4, 5});
  with_fewer_hits.expect_allocated("B", 3, Ids{4, 5}, {.hits = {1}});  // two are found, one is used
  with_fewer_hits.expect_cached({1, 2, 4});
}

TEST(AllocateSlots, GrowthTakesABlockWhenOneIsFull) {
  SPEC("a running request takes a block when its last one has no room, and not before", kAllocate,
       "next num_new_tokens tokens", "4.5 blocks in the table");
  RecordedManager manager({6, 3});
  manager.start("A", {1, 2});
  manager.append("A", {3});
  manager.expect_allocated("A", 1, Ids{});
  manager.compute("A", 1);
  manager.append("A", {4});
  manager.expect_allocated("A", 1, Ids{2});
  manager.compute("A", 1);
  manager.expect_table("A", {1, 2});
  manager.audit();
}

TEST(AllocateSlots, GrowthWithoutAFreeBlock) {
  SPEC("a running request whose last block has room needs no free block", kAllocate,
       "4.5 blocks in the table", "fewer blocks are free");
  RecordedManager manager({3, 3});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.expect_free({});
  manager.append("A", {6});
  manager.expect_allocated("A", 1, Ids{});
  manager.compute("A", 1);
  manager.append("A", {7});
  const ManagerState before = manager.state();
  manager.expect_allocated("A", 1, std::nullopt);
  manager.expect_unchanged(before);
}

TEST(AllocateSlots, GrowthIntoALookahead) {
  SPEC("blocks that were taken for lookahead tokens are used before new ones are taken", kAllocate,
       "lookahead tokens after them", "4.5 blocks in the table");
  RecordedManager manager({8, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 3, Ids{1, 2, 3}, {.num_lookahead_tokens = 3});
  manager.compute("A", 3);
  manager.append("A", {4, 5, 6, 7});
  manager.expect_allocated("A", 1, Ids{}, {.num_lookahead_tokens = 1});
  manager.expect_cached({1, 2});
  manager.compute("A", 1);
  manager.expect_allocated("A", 3, Ids{4});
}

TEST(AllocateSlots, ABlockIsCachedWhenItIsFull) {
  SPEC("a block that decoding fills is cached then, and those before it are not cached again",
       kAllocate, "full of computed and new tokens");
  RecordedManager manager({6, 3});
  manager.start("A", {1, 2, 3, 4, 5});
  manager.expect_cached({1});
  manager.decode("A", 6);
  manager.expect_cached({1, 2});
  manager.decode("A", 7);
  manager.expect_cached({1, 2});
  manager.admit("B", {1, 2, 3, 4, 5, 6, 7});
  manager.expect_found("B", {1, 2});
}

TEST(AllocateSlots, BlocksOfOneToken) {
  SPEC("with one token a block, each token takes a block and is cached", kAllocate,
       "next num_new_tokens tokens", "full of computed and new tokens");
  RecordedManager manager({6, 1});
  manager.start("A", {1, 2});
  for (const TokenId token : {3, 4}) manager.decode("A", token);
  manager.expect_table("A", {1, 2, 3, 4});
  manager.expect_cached({1, 2, 3, 4});
  manager.audit();
}

TEST(AllocateSlots, AChunkAtATime) {
  SPEC(
      "a prompt can be computed in chunks: each gets slots, and full blocks are cached with theirs",
      kAllocate, "full of computed and new tokens");
  RecordedManager manager({6, 4});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  manager.expect_allocated("A", 3, Ids{1});
  manager.expect_cached({});
  manager.compute("A", 3);
  manager.expect_allocated("A", 5, Ids{2});
  manager.expect_cached({1, 2});
  manager.compute("A", 5);
  manager.expect_allocated("A", 1, Ids{3});
  manager.expect_table("A", {1, 2, 3});
}

TEST(AllocateSlots, LookaheadIsRoomOnly) {
  SPEC("lookahead tokens get blocks, which are not cached, and which later tokens use", kAllocate,
       "lookahead tokens after them", "nor lookahead tokens", "4.5 blocks in the table");
  RecordedManager manager({8, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 3, Ids{1, 2, 3}, {.num_lookahead_tokens = 3});
  manager.expect_needed("A", 3, 0);
  manager.compute("A", 3);
  manager.expect_cached({1});
  manager.append("A", {4});
  manager.expect_needed("A", 1, 1, {.num_lookahead_tokens = 3});
  manager.expect_allocated("A", 1, Ids{});
  manager.compute("A", 1);
  manager.expect_cached({1, 2});
  manager.append("A", {5});
  manager.expect_allocated("A", 1, Ids{4, 5, 6}, {.num_lookahead_tokens = 6});
  manager.expect_cached({1, 2});
  manager.expect_table("A", {1, 2, 3, 4, 5, 6});
  manager.audit();
}

TEST(AllocateSlots, DraftTokensAreNotCached) {
  SPEC("draft tokens, which the request does not have yet, are cached when they are accepted",
       kAllocate, "Neither draft tokens");
  RecordedManager manager({8, 2});
  manager.admit("A", {1, 2, 3});
  manager.expect_allocated("A", 6, Ids{1, 2, 3});
  manager.compute("A", 3);
  manager.expect_cached({1});
  manager.append("A", {4, 5});
  manager.compute("A", 1);
  manager.expect_allocated("A", 1, Ids{});
  manager.expect_cached({1, 2});
  manager.audit();
}

TEST(AllocateSlots, EndsAtTheModelsLength) {
  SPEC("no slot is given past max_model_len", kAllocate, "4.5 at most max_model_len");
  RecordedManager manager({8, 2, 5});
  manager.admit("A", {1, 2, 3, 4});
  manager.expect_allocated("A", 4, Ids{1, 2, 3}, {.num_lookahead_tokens = 9});
  manager.compute("A", 4);
  manager.append("A", {5});
  manager.expect_allocated("A", 1, Ids{}, {.num_lookahead_tokens = SIZE_MAX});
  manager.expect_allocated("A", SIZE_MAX, Ids{});
  manager.expect_table("A", {1, 2, 3});
  manager.expect_cached({1, 2});
}

TEST(AllocateSlots, TheFullSequenceMustFit) {
  SPEC("with full_sequence_must_fit, a chunk is given only if the whole request would fit",
       kAllocate, "fewer blocks are free", "4.5 full_sequence_must_fit");
  RecordedManager manager({5, 2});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  const ManagerState before = manager.state();
  manager.expect_allocated("A", 2, std::nullopt, {.full_sequence_must_fit = true});
  manager.expect_unchanged(before);
  manager.admit("B", {1, 2, 3, 4, 5, 6, 7, 8});
  manager.expect_allocated("B", 2, Ids{1}, {.full_sequence_must_fit = true});
  manager.compute("B", 2);
  manager.expect_allocated("B", 2, Ids{2}, {.full_sequence_must_fit = true});
  manager.compute("B", 2);
  manager.expect_allocated("A", 2, Ids{3});
  manager.expect_allocated("B", 2, std::nullopt, {.full_sequence_must_fit = true});
  expect_every_combination(true);
}

TEST(AllocateSlots, RequestsThatDoNotReadFillTheCache) {
  SPEC("a request that skips reading computes its own blocks, and they are cached as duplicates",
       kAllocate, "full of computed and new tokens");
  RecordedManager manager({8, 2});
  manager.start("A", {1, 2, 3});
  manager.admit({.request_id = "B",
                 .block_size = 2,
                 .token_ids = {1, 2, 3},
                 .skip_reading_prefix_cache = true});
  manager.start("B");
  manager.expect_table("B", {3, 4});
  manager.expect_cached({1, 3});
  manager.expect_found("B", {});
  manager.evict({1});
  manager.admit("C", {1, 2, 3});
  manager.expect_found("C", {3});
}

TEST(AllocateSlots, WithCachingOff) {
  SPEC("with caching off nothing is cached, and nullopt still says that blocks are missing",
       kAllocate, "With caching on", "fewer blocks are free");
  RecordedManager manager({4, 2, 100, false});
  manager.start("A", {1, 2, 3, 4});
  manager.expect_cached({});
  manager.decode("A", 5);
  manager.expect_table("A", {1, 2, 3});
  manager.admit("B", {1, 2, 3});
  manager.expect_allocated("B", 3, std::nullopt);
  manager.audit();
}

}  // namespace
}  // namespace kv::grader

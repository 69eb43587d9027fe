// Freeing: whose block is free afterwards, in which order, and what a refused list leaves. Then
// pools, blocks and lists whose sizes do not fit in 8, 16 or 32 bits.

#include <gtest/gtest.h>

#include <optional>

#include "02-block-pool/tests/recorded_pool.h"
#include "grader/harness/small_stack.h"

namespace kv::grader {

namespace {

TEST(BlockPoolFree, TheLastUserSetsItFree) {
  SPEC("a shared block is free when its last user has freed it", "2.4 free_blocks",
       "one user from each block", "no user left");
  RecordedPool pool(4);
  pool.get_new_blocks(1);
  pool.touch({1});
  pool.mark({1});
  pool.free_blocks({1});
  pool.expect_ref_cnt(1, 1);
  pool.expect_free({2, 3});
  pool.free_blocks({1});
  pool.expect_marked({1});
  pool.expect_ref_cnt(1, 0);
  pool.expect_free({2, 3, 1});
  pool.audit();
}

TEST(BlockPoolFree, ManyUsersGo) {
  SPEC("a block with more than 2^16 users is free when the last of them has gone",
       "2.4 free_blocks", "no user left");
  RecordedPool pool(4);
  pool.touch({2});
  const Ids many(1'000, 2);
  for (int i = 0; i < 70; ++i) pool.touch(many);
  for (int i = 0; i < 70; ++i) pool.free_blocks(many);
  pool.expect_ref_cnt(2, 1);
  pool.expect_free({1, 3});
  pool.free_blocks({2});
  pool.expect_free({1, 3, 2});
  pool.audit();
}

TEST(BlockPoolFree, TheOrderGivenIsTheOrderOfEviction) {
  SPEC("freed blocks join the tail in the order given", "2.4 free_blocks", "that of eviction");
  RecordedPool pool(6);
  pool.get_new_blocks(4);
  pool.free_blocks({});
  pool.free_blocks({4, 2, 3});
  pool.expect_free({5, 4, 2, 3});
  pool.audit();
}

TEST(BlockPoolFree, BlocksInUseStay) {
  SPEC("of a list, only blocks without a user go to the queue", "2.4 free_blocks", "no user left");
  RecordedPool pool(5);
  pool.get_new_blocks(3);
  pool.touch({2});
  pool.free_blocks({3, 2, 1});
  pool.expect_free({4, 3, 1});
  pool.expect_ref_cnt(2, 1);
  pool.audit();
  pool.touch({2, 3});
  pool.free_blocks({2, 3, 2});
  pool.expect_free({4, 1, 3, 2});
  pool.audit();
}

TEST(BlockPoolFree, WithoutCaching) {
  SPEC("with caching off, blocks are claimed, shared and freed as with it", "2.4 free_blocks");
  RecordedPool pool(5, false);
  pool.expect_new_blocks(2, Ids{1, 2});
  pool.touch({2, 3});
  pool.expect_ref_cnt(1, 1);
  pool.expect_ref_cnt(2, 2);
  pool.expect_ref_cnt(3, 1);
  pool.free_blocks({2, 1, 3});
  pool.expect_free({4, 1, 3});
  pool.free_blocks({2});
  pool.expect_free({4, 1, 3, 2});
  pool.audit();
}

TEST(BlockPoolFree, StartsNewWhereAnotherPoolWas) {
  SPEC("a pool that is made where another one was starts as if that one had never been",
       "2.4 free_blocks");
  std::optional<RecordedPool> pool;
  for (const BlockId last : {4, 5}) {
    log_object(last == 4 ? TestObject::kFirst : TestObject::kSecond);
    pool.emplace(static_cast<std::size_t>(last) + 1);
    pool->audit();
    pool->expect_new_blocks(2, Ids{1, 2});
    pool->touch({2, last});
    pool->free_blocks({last, 2, 1});
    pool->expect_free(last == 4 ? Ids{3, 4, 1} : Ids{3, 4, 5, 1});
    pool->audit();
  }
}

TEST(BlockPoolFree, RefusesAFreeBlock) {
  SPEC("if no request holds one of the blocks, the whole call is refused", "2.4 free_blocks",
       "has no user,");
  RecordedPool pool(5);
  pool.get_new_blocks(3);
  pool.free_blocks({2});
  for (const Ids& ids : {Ids{1, 2}, Ids{2, 1}, Ids{2}, Ids{1, 2, 3}})
    expect_refused(pool, "no request holds #2", [&] { pool.free_blocks(ids); });
  pool.audit();
}

TEST(BlockPoolNull, FreeSkipsIt) {
  SPEC("freeing the null block changes nothing", "2.4 free_blocks", "null block is skipped");
  RecordedPool pool(4);
  pool.get_new_blocks(1);
  pool.free_blocks({0});
  pool.free_blocks({0, 1, 0});
  pool.expect_free({2, 3, 1});
  pool.expect_ref_cnt(0, 0);
  pool.audit();
}

TEST(BlockPoolFree, KeepsTheHash) {
  SPEC("a freed block stays cached until it is reused", "2.4 free_blocks", "with its hash");
  RecordedPool pool(4);
  pool.get_new_blocks(2);
  pool.seal(1);
  pool.free_blocks({2, 1});
  pool.expect_cached(Ids{1});
  pool.touch({1});
  pool.expect_cached(Ids{1});
  pool.audit();
}

TEST(BlockPoolFree, KeepsItsPlaceAmongDuplicates) {
  SPEC("a freed block stays in the list of those with its prefix: another one is still found",
       "2.4 free_blocks");
  RecordedPool pool(5);
  pool.get_new_blocks(2);
  const Request request = request_of_block(pool.raw(), 1);
  log_step("#1 and #2 are cached with the same tokens");
  for (const BlockId id : {1, 2}) {
    pool.raw().cache_full_blocks(request, blocks_of(pool.raw(), {id}), 0, 1);
  }
  pool.free_blocks({2});
  pool.expect_cached({1, 2});
  pool.touch({2});
  pool.free_blocks({1});
  pool.get_new_blocks(3);
  pool.expect_longest_hit(request, {2}, "#1 was claimed");
}

TEST(BlockPoolFree, EvictsOnReuseOnly) {
  SPEC("get_new_blocks removes the hash of the block it claims, and of no other",
       "2.4 free_blocks");
  RecordedPool pool(4);
  pool.get_new_blocks(3);
  pool.seal(1);
  pool.seal(2);
  pool.free_blocks({2, 1});
  pool.get_new_blocks(1);
  pool.expect_cached(Ids{1});
  pool.audit();
}

TEST(BlockPoolFree, RefusesAStrangerInTheMiddle) {
  SPEC("a block of another pool refuses the whole free_blocks", "2.4 free_blocks",
       "of another pool");
  RecordedPool pool(5);
  RecordedPool other(5);
  pool.get_new_blocks(3);
  other.get_new_blocks(3);
  other.touch({2});
  other.free_blocks({2});
  pool.free_blocks({3});
  std::vector<KVCacheBlock*> mixed = {&pool.block(1), &other.block(2), &pool.block(2)};
  log_step("free_blocks(#1, #2 of another pool, #2)");
  expect_refused(pool, "one block is of another pool", [&] { pool.raw().free_blocks(mixed); });
  const auto from_stranger = std::span(mixed).subspan(1);
  log_step("free_blocks(#2 of another pool, #2)");
  expect_refused(pool, "the first is of another pool",
                 [&] { pool.raw().free_blocks(from_stranger); });
  const auto to_stranger = std::span(mixed).first(2);
  log_step("free_blocks(#1, #2 of another pool)");
  expect_refused(pool, "the last is of another pool", [&] { pool.raw().free_blocks(to_stranger); });
  mixed[1] = &other.block(0);
  log_step("free_blocks(#1, the null block of another pool, #2)");
  expect_refused(pool, "the null block is of another pool", [&] { pool.raw().free_blocks(mixed); });
  pool.audit();
  log_object(TestObject::kSecond);
  log_step("free_blocks(#1 of the first)");
  expect_refused(other, "it is of another pool",
                 [&] { other.raw().free_blocks(std::span(mixed).first(1)); });
}

TEST(BlockPoolFree, TakesBackWhatItHasFreed) {
  SPEC("wherever a list has a block too often, the blocks before are as they were",
       "2.4 free_blocks", "more often", "nothing has changed");
  RecordedPool pool(6);
  pool.get_new_blocks(3);
  for (const BlockId id : {1, 2}) pool.seal(id);
  for (const Ids& ids : {Ids{1, 1}, Ids{1, 2, 1}, Ids{2, 1, 3, 1}, Ids{0, 3, 1, 2, 3}})
    expect_refused(pool, "a block is held once and listed twice", [&] { pool.free_blocks(ids); });
  for (const BlockId id : {1, 2}) pool.expect_sealed_as_before(id);
  pool.expect_found(1, true);
  pool.audit();
}

TEST(BlockPoolFree, RefusesMoreThanIsHeld) {
  SPEC("a block listed more often than it is held refuses the whole call", "2.4 free_blocks",
       "more often", "nothing has changed");
  RecordedPool pool(6);
  pool.get_new_blocks(4);
  pool.touch({2});
  expect_refused(pool, "#2 is held twice and listed three times", [&] {
    pool.free_blocks({0, 1, 2, 0, 3, 2, 2, 4});
  });
  pool.expect_usage(4);  // Why: a body that counts by itself may count before it refuses
  pool.audit();
  pool.free_blocks({2, 1, 2});
  pool.expect_free({5, 1, 2});
  pool.audit();
  Ids many(300, 2);
  pool.get_new_blocks(2);
  pool.touch(many);
  many.insert(many.end(), {1, 1});
  expect_refused(pool, "#1 is held once and listed twice", [&] { pool.free_blocks(many); });
  pool.audit();
}

TEST(LargePool, HasTheSizeAskedFor) {
  SPEC("a pool has as many blocks as it was asked for, each of as many tokens",
       "2.1 get_num_free_blocks");
  for (const std::size_t num_blocks : {0x100u, 0x1'0000u}) {
    EXPECT_SAME(BlockPool(num_blocks, 1).get_num_free_blocks(), num_blocks - 1)
        << "free blocks of a pool of " << num_blocks;
  }
  for (const std::size_t block_size : {0x100ul, 0x1'0000ul, 0x1'0000'0000ul}) {
    EXPECT_SAME(BlockPool(2, block_size).block_size(), block_size)
        << "block_size() is the number of tokens asked for";
    EXPECT_SAME(BlockPool(2, block_size).get_num_free_blocks(), 1u)
        << "free blocks of a pool of two";
  }
}

TEST(LargePool, FreesAListOfAnyLength) {
  SPEC("of a list of more than 2^16 blocks each is freed, in the order given", "2.4 free_blocks",
       "fixed amount of stack");
  RecordedPool pool(0x1'0002);
  const Ids all = free_ids(pool.raw());
  pool.get_new_blocks(all.size());
  const auto listed = blocks_of(pool.raw(), all);
  log_step("free_blocks of all blocks, with 64 KiB of stack");
  with_small_stack([&] { pool.raw().free_blocks(listed); });
  pool.expect_free(all);
  pool.audit();
}

TEST(LargePool, HasAUsage) {
  SPEC("the usage of 2^17 blocks is computed as that of a few", "2.5 get_usage");
  RecordedPool pool(0x2'0001);
  pool.get_new_blocks(0x1'8000);
  pool.expect_usage(0x1'8000);
}

}  // namespace

}  // namespace kv::grader

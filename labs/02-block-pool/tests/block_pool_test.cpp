// The other steps of the pool: counting, claiming, touching, usage.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "02-block-pool/tests/recorded_pool.h"
#include "grader/harness/small_stack.h"

namespace kv::grader {
namespace {

const LoopsOfLab kLoops("each round of a loop goes on to the next block of the list", 2'000'000);

TEST(BlockPoolCounts, AllButTheNullBlockAreFree) {
  SPEC("the null block does not count as free", "2.1 get_num_free_blocks", "could return",
       "free cached blocks count");
  RecordedPool pool(5);
  pool.seal(2);
  EXPECT_SAME(pool.raw().get_num_free_blocks(), 4u)
      << "a free block counts with and without a hash";
  pool.expect_free({1, 2, 3, 4});
  pool.audit();
}

TEST(BlockPoolCounts, APoolOfTheNullBlockHasNone) {
  SPEC("a pool of nothing but the null block has no free block", "2.1 get_num_free_blocks");
  RecordedPool pool(1);
  EXPECT_SAME(pool.raw().get_num_free_blocks(), 0u)
      << "get_num_free_blocks() of the null block alone";
}

TEST(BlockPoolCounts, NoPoolOfNothing) {
  SPEC("0 blocks, or blocks of 0 tokens, are refused", "2.1 get_num_free_blocks");
  EXPECT_SAME(BlockPool(2, 1).get_num_free_blocks(), 1u) << "one token is enough for a block";
  EXPECT_REFUSED(BlockPool(0, 1)) << "there is no null block";
  EXPECT_REFUSED(BlockPool(2, 0)) << "a block holds at least one token";
}

TEST(BlockPoolClaim, TakesTheLongestFree) {
  SPEC("get_new_blocks takes from the head of the queue", "2.2 get_new_blocks", "free the longest");
  RecordedPool pool(6);
  pool.expect_new_blocks(2, Ids{1, 2});
  pool.expect_new_blocks(1, Ids{3});
  pool.expect_free({4, 5});
  pool.audit();
}

TEST(BlockPoolClaim, EachHasOneUser) {
  SPEC("a claimed block has ref_cnt 1", "2.2 get_new_blocks", "has ref_cnt 1");
  RecordedPool pool(4);
  pool.mark({1, 2, 3});
  pool.get_new_blocks(2);
  pool.expect_ref_cnt(1, 1);
  pool.expect_ref_cnt(2, 1);
  pool.expect_ref_cnt(3, 0);
  pool.expect_marked({1, 2, 3});
}

TEST(BlockPoolClaim, AllOrNothing) {
  SPEC("more blocks than are free: nullopt, and nothing has changed", "2.2 get_new_blocks",
       "nullopt when fewer are free", "nothing has changed");
  RecordedPool pool(4);
  pool.seal(1);
  // Also those of which a body that cuts them, or adds to them, sees less.
  for (const std::size_t num_blocks : {4ul, 0x100ul, 0x1'0001ul, 0x1'0000'0002ul, SIZE_MAX}) {
    pool.expect_new_blocks(num_blocks, std::nullopt);
    pool.expect_free({1, 2, 3});
    pool.expect_cached({1});
  }
  pool.expect_ref_cnt(1, 0);
  pool.expect_new_blocks(3, Ids{1, 2, 3});
  pool.expect_new_blocks(0, Ids{});
  pool.expect_new_blocks(1, std::nullopt);
  pool.audit();
}

TEST(BlockPoolClaim, AReclaimedBlockIsNotFound) {
  SPEC("a block that is claimed again is not given to a request with its old tokens",
       "2.2 get_new_blocks", "from the prefix cache", "cleared the hash");
  RecordedPool pool(4);
  pool.seal(1);
  pool.seal(2);
  pool.expect_found(1, true);
  pool.get_new_blocks(1);
  pool.expect_found(1, false);
  pool.expect_found(2, true);
  pool.expect_num_prefixes(1);
  Request request = request_of_block(pool.raw(), 3);
  request.block_hashes = {0};
  log_step("#3 is full and cached, and its hash is 0");
  pool.raw().cache_full_blocks(request, blocks_of(pool.raw(), {3}), 0, 1);
  pool.get_new_blocks(2);
  pool.expect_longest_hit(request, {}, "#3 was claimed");
  pool.expect_cached({});
  RecordedPool large(301);
  log_step("all 300 blocks are full and cached");
  for (BlockId id = 1; id <= 300; ++id) seal_alone(large.raw(), id);
  large.get_new_blocks(300);
  large.expect_cached({});
  large.expect_num_prefixes(0);
}

TEST(BlockPoolClaim, AReclaimedDuplicateIsNotFound) {
  SPEC("of two blocks with the same tokens, the one that is claimed is not found, the other one is",
       "2.2 get_new_blocks", "from the prefix cache");
  RecordedPool pool(4);
  const Request request = request_of_block(pool.raw(), 1);
  log_step("#2 and then #1 are cached with the same tokens");
  for (const BlockId id : {2, 1}) {
    pool.raw().cache_full_blocks(request, blocks_of(pool.raw(), {id}), 0, 1);
  }
  pool.get_new_blocks(1);
  pool.expect_longest_hit(request, {2}, "#1 was claimed");
  pool.get_new_blocks(1);
  pool.expect_longest_hit(request, {}, "#1 and #2 were claimed");
  pool.expect_num_prefixes(0);
}

TEST(BlockPoolTouch, RevivesAFreeBlock) {
  SPEC("a free block that is touched leaves the queue from where it is", "2.3 touch",
       "leaves the queue");
  RecordedPool pool(5);
  pool.touch({3});
  pool.expect_ref_cnt(3, 1);
  pool.expect_free({1, 2, 4});
  pool.audit();
}

TEST(BlockPoolTouch, CountsEveryUser) {
  SPEC("a block in use that is touched has one user more", "2.3 touch", "one user to each block");
  RecordedPool pool(4);
  pool.get_new_blocks(1);
  pool.mark({1, 2});
  pool.touch({1, 2});
  pool.expect_ref_cnt(1, 2);
  pool.expect_ref_cnt(2, 1);
  pool.expect_free({3});
  pool.expect_marked({1, 2});
  pool.audit();
}

TEST(BlockPoolTouch, MayNameABlockTwice) {
  SPEC("a block that is listed twice has two users more", "2.3 touch", "listed twice gets two");
  RecordedPool pool(4);
  pool.touch({});
  pool.touch({2, 2});
  pool.expect_ref_cnt(2, 2);
  pool.expect_free({1, 3});
  pool.get_new_blocks(1);
  pool.seal(1);
  pool.touch({1, 1});
  pool.expect_ref_cnt(1, 3);
  pool.audit();
}

TEST(BlockPoolTouch, CountsManyUsers) {
  SPEC("a block can have more than 2^16 users, and a list as many blocks", "2.3 touch",
       "fixed amount of stack");
  RecordedPool pool(4);
  const auto listed = blocks_of(pool.raw(), Ids(70'000, 2));
  log_step("touch of a list with #2 in it 70000 times, with 64 KiB of stack");
  with_small_stack([&] { pool.raw().touch(listed); });
  pool.expect_ref_cnt(2, 70'000);
  pool.touch({2});
  pool.expect_ref_cnt(2, 70'001);
  pool.audit();
}

TEST(BlockPoolTouch, GoesByTheBlock) {
  SPEC("of more than 2^16 blocks, the one that is listed gets the user", "2.3 touch",
       "one user to each block");
  RecordedPool pool(0x1'0002);
  pool.touch({0x1'0001});
  pool.expect_ref_cnt(0x1'0001, 1);
  pool.expect_ref_cnt(1, 0);
  pool.audit();
}

// A touch of a list with one block of another pool. words: the list.
void expect_touch_refused(RecordedPool& pool,
                          const std::vector<KVCacheBlock*>& blocks,
                          const std::string& words) {
  log_step("touch(" + words + ")");
  expect_refused(pool, "one block is of another pool", [&] { pool.raw().touch(blocks); });
}

TEST(BlockPoolTouch, RefusesAStranger) {
  SPEC("a block of another pool refuses the whole touch", "2.3 touch", "of another pool");
  RecordedPool pool(4);
  RecordedPool other(4);
  pool.touch({1});
  KVCacheBlock* own = &pool.block(2);
  KVCacheBlock* stranger = &other.block(2);
  expect_touch_refused(pool, {own, stranger}, "#2, #2 of another pool");
  expect_touch_refused(pool, {stranger, own}, "#2 of another pool, #2");
  expect_touch_refused(pool, {own, stranger, &pool.block(3)}, "#2, #2 of another pool, #3");
  log_object(TestObject::kSecond);
  other.touch({2});
  expect_touch_refused(other, {own}, "#2 of the first");
  log_object(TestObject::kFirst);
  expect_touch_refused(pool, {stranger}, "#2 of another pool");
  expect_touch_refused(pool, {&other.block(0), own}, "the null block of another pool, #2");
  BlockPool larger(10'000, 16);
  expect_touch_refused(pool, {own, &larger.blocks()[9'999]}, "#2, #9999 of a larger pool");
  pool.audit();
  pool.touch({1, 1, 1});
  pool.expect_ref_cnt(1, 4);
}

TEST(BlockPoolNull, TouchSkipsIt) {
  SPEC("touching the null block changes nothing", "2.3 touch", "null block is skipped");
  RecordedPool pool(4);
  pool.touch({0});
  pool.touch({0, 2, 0});
  pool.expect_ref_cnt(0, 0);
  pool.expect_ref_cnt(2, 1);
  pool.audit();
}

TEST(BlockPoolUsage, CountsBlocksInUse) {
  SPEC("usage is the share of blocks in use, without the null block", "2.5 get_usage",
       "share of blocks in use", "null block does not count");
  RecordedPool pool(5);
  pool.expect_usage(0);
  pool.get_new_blocks(1);
  pool.expect_usage(1);
  pool.touch({1});
  pool.expect_usage(1);
  pool.get_new_blocks(3);
  pool.expect_usage(4);
  pool.free_blocks({2, 3});
  pool.expect_usage(2);
  for (const BlockId id : {1, 2}) {
    pool.seal(id);
    pool.expect_usage(2);
  }
  pool.free_blocks({4, 1, 1});
  pool.expect_usage(0);
}

TEST(BlockPoolUsage, OfTwoPools) {
  SPEC("the usage of a pool does not depend on another pool", "2.5 get_usage");
  RecordedPool first(5);
  first.expect_usage(0);
  log_object(TestObject::kSecond);
  RecordedPool second(8);
  second.get_new_blocks(2);
  second.expect_usage(2);
  log_object(TestObject::kFirst);
  first.get_new_blocks(2);
  first.expect_usage(2);
  log_object(TestObject::kSecond);
  second.get_new_blocks(3);  // so that as many are free as in the first
  second.expect_usage(5);
}

TEST(BlockPoolUsage, OfAPoolWhereAnotherWas) {
  SPEC("the usage of a pool does not depend on one that was in the same memory", "2.5 get_usage");
  std::optional<RecordedPool> pool;
  for (const std::size_t num_gpu_blocks : {5u, 8u}) {
    log_object(num_gpu_blocks == 5 ? TestObject::kFirst : TestObject::kSecond);
    pool.emplace(num_gpu_blocks);
    pool->get_new_blocks(num_gpu_blocks - 3);  // so that as many are free as in the other one
    pool->expect_usage(num_gpu_blocks - 3);
  }
}

TEST(BlockPoolUsage, APoolOfTheNullBlockIsUnused) {
  SPEC("the usage of a pool with nothing but the null block is 0", "2.5 get_usage",
       "0 if there is no other");
  RecordedPool pool(1);
  pool.expect_usage(0);
}

}  // namespace
}  // namespace kv::grader

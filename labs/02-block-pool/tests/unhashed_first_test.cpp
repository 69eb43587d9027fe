// A pool with kUnhashedFirst: which end of the queue a freed block joins.

#include <gtest/gtest.h>

#include "02-block-pool/tests/recorded_pool.h"
#include "grader/harness/small_stack.h"

namespace kv::grader {
namespace {

RecordedPool unhashed_first(std::size_t num_gpu_blocks, bool enable_caching = true) {
  return RecordedPool(num_gpu_blocks, enable_caching, EvictionOrder::kUnhashedFirst);
}

void expect_long_list_freed() {
  RecordedPool pool = unhashed_first(0x1'0002);
  const Ids all = free_ids(pool.raw());
  pool.get_new_blocks(all.size());
  const auto listed = blocks_of(pool.raw(), all);
  log_step("free_blocks of all blocks, with 64 KiB of stack");
  with_small_stack([&] { pool.raw().free_blocks(listed); });
  pool.expect_free(all);
}

TEST(UnhashedFirst, BlocksWithoutAHashGoToTheHead) {
  SPEC("freed blocks without a hash join the head of the queue, those with one the tail",
       "2.6 free_unhashed_first", "join the head of the queue", "the tail", "keep the order given",
       "fixed amount of stack");
  RecordedPool pool = unhashed_first(8);
  pool.get_new_blocks(5);
  for (const BlockId id : {1, 2}) pool.seal(id);
  pool.free_blocks({5, 2, 4, 1});
  pool.expect_free({5, 4, 6, 7, 2, 1});
  pool.expect_cached({1, 2});
  pool.audit();
  pool.free_blocks({3});
  pool.expect_free({3, 5, 4, 6, 7, 2, 1});
  pool.touch({2});
  pool.free_blocks({2});
  pool.expect_free({3, 5, 4, 6, 7, 1, 2});
  for (const BlockId id : {1, 2}) pool.expect_sealed_as_before(id);
  pool.audit();
  pool.free_blocks({});
  pool.expect_new_blocks(6, Ids{3, 5, 4, 6, 7, 1});
  pool.expect_cached({2});
  pool.audit();
  expect_long_list_freed();
}

TEST(UnhashedFirst, WithoutCachingTheLastFreedIsTheNext) {
  SPEC("with caching off no block has a hash, so what was freed last is handed out next",
       "2.6 free_unhashed_first", "join the head of the queue");
  RecordedPool pool = unhashed_first(6, false);
  pool.expect_new_blocks(4, Ids{1, 2, 3, 4});
  pool.free_blocks({2, 1});
  pool.free_blocks({4, 3});
  pool.expect_free({4, 3, 2, 1, 5});
  pool.expect_new_blocks(3, Ids{4, 3, 2});
  pool.audit();
}

TEST(UnhashedFirst, OnlyTheLastUserSetsItFree) {
  SPEC("a block joins the queue once, when its last user has gone; the null block never does",
       "2.6 free_unhashed_first", "have no user left");
  RecordedPool pool = unhashed_first(6);
  pool.get_new_blocks(3);
  pool.seal(2);
  pool.touch({1, 2});
  pool.free_blocks({0, 1, 2, 3, 0});
  pool.expect_free({3, 4, 5});
  pool.expect_ref_cnt(1, 1);
  pool.expect_ref_cnt(2, 1);
  pool.touch({1, 2});
  pool.free_blocks({2, 1, 2, 1});
  pool.expect_free({1, 3, 4, 5, 2});
  pool.expect_ref_cnt(0, 0);
  pool.audit();
}

TEST(UnhashedFirst, RefusesMoreThanIsHeld) {
  SPEC("a block listed more often than it is held refuses the whole call",
       "2.6 free_unhashed_first", "more often than it has users", "nothing has changed");
  RecordedPool pool = unhashed_first(7);
  pool.get_new_blocks(4);
  pool.seal(1);
  pool.touch({2});
  for (const Ids& ids : {Ids{1, 1}, Ids{3, 3}, Ids{0, 4, 2, 1, 2, 0, 2}, Ids{2, 2, 1, 3, 1}})
    expect_refused(pool, "a block is listed more often than it is held",
                   [&] { pool.free_blocks(ids); });
  pool.expect_sealed_as_before(1);
  pool.audit();
  pool.free_blocks({1, 2, 2});
  pool.expect_free({2, 5, 6, 1});
  expect_refused(pool, "#1 is free", [&] { pool.free_blocks({3, 1}); });
  pool.audit();
}

}  // namespace
}  // namespace kv::grader

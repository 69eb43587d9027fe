// Letting go: who is free then, and in which order.

#include <gtest/gtest.h>

#include "02-block-pool/tests/recorded_pool.h"

namespace kv::grader {
namespace {

TEST(BlockPoolFree, TheLastUserSetsItFree) {
  SPEC("a shared block is free when its last user lets go", "2.4 free_blocks");
  RecordedPool pool(4);
  pool.get_new_blocks(1);
  pool.touch({1});
  pool.free_blocks({1});
  pool.expect_ref_cnt(1, 1);
  pool.expect_free({2, 3});
  pool.free_blocks({1});
  pool.expect_ref_cnt(1, 0);
  pool.expect_free({2, 3, 1});
  pool.audit();
}

TEST(BlockPoolFree, TheOrderGivenIsTheOrderOfEviction) {
  SPEC("freed blocks join the tail in the order given", "2.4 free_blocks");
  RecordedPool pool(6);
  pool.get_new_blocks(4);
  pool.free_blocks({4, 2, 3});
  pool.expect_free({5, 4, 2, 3});
  pool.audit();
}

TEST(BlockPoolFree, BlocksInUseStay) {
  SPEC("of a list, only blocks without a user go to the queue", "2.4 free_blocks");
  RecordedPool pool(5);
  pool.get_new_blocks(3);
  pool.touch({2});
  pool.free_blocks({3, 2, 1});
  pool.expect_free({4, 3, 1});
  pool.expect_ref_cnt(2, 1);
  pool.audit();
}

TEST(BlockPoolFree, RefusesAFreeBlock) {
  SPEC("a block that nobody holds refuses the whole call", "2.4 free_blocks");
  RecordedPool pool(5);
  pool.get_new_blocks(2);
  pool.free_blocks({2});
  expect_refused(pool, "nobody holds #2", [&] { pool.free_blocks({1, 2}); });
  pool.audit();
}

}  // namespace
}  // namespace kv::grader

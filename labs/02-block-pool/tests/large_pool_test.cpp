// Pools, blocks and lists whose sizes do not fit in 8, 16 or 32 bits.

#include <gtest/gtest.h>

#include "02-block-pool/tests/recorded_pool.h"

namespace kv::grader {
namespace {

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
  SPEC("of a list of more than 2^16 blocks each is freed, in the order given", "2.4 free_blocks");
  RecordedPool pool(0x1'0002);
  const Ids all = free_ids(pool.raw());
  pool.get_new_blocks(all.size());
  pool.free_blocks(all);
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

// The second design, step by step: blocks, growth, freeing, caching.

#include <limits>

#include "04-kv-cache-manager/tests/block_manager_recorder.h"

namespace kv::grader {
namespace {

TEST(BlockManagerBlocks, LongestFreeFirst) {
  SPEC("allocate_block gives the block that has been free the longest, from #0 on, to one user",
       kBlockManager, "4.13 free the longest", "4.13 for one user", "4.13 nullptr");
  RecordedBlockManager manager(3, 4);
  for (const BlockId id : {0, 1, 2}) {
    manager.expect_block(id);
    EXPECT_SAME(manager.block(id).ref_cnt, 1) << "the users of #" << id;
  }
  manager.expect_block(std::nullopt);
  manager.expect_free({});
}

TEST(BlockManagerBlocks, RefusesToBeEmpty) {
  SPEC("a manager has a block, and a block has room for a token", kBlockManager);
  EXPECT_REFUSED(BlockManager(0, 4)) << "0 blocks";
  EXPECT_REFUSED(BlockManager(4, 0)) << "blocks of 0 tokens";
  EXPECT_SAME(BlockManager(0x1'0000, 1).blocks().size(), std::size_t{0x1'0000}) << "the blocks";
  EXPECT_SAME(BlockManager(1, std::size_t{1} << 32).block_size(), std::size_t{1} << 32)
      << "the tokens of a block";
  RecordedBlockManager manager(1, 1);
  manager.expect_block(0);
  manager.expect_block(std::nullopt);
}

TEST(BlockManagerAppend, CountsWhatHasNoSlot) {
  SPEC("can_append says whether the tokens without a slot get one", kBlockManager,
       "4.14 all tokens of the sequence that have no slot");
  RecordedBlockManager manager(3, 4);
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  manager.expect_can_append("A", true);
  manager.append("A", {13});
  manager.expect_can_append("A", false);
  manager.admit("B", {});
  manager.expect_can_append("B", true);
}

TEST(BlockManagerAppend, ABlockWhenTheLastOneIsFull) {
  SPEC("may_append takes a block when the last one is full, and none before", kBlockManager,
       "4.15 have no slot new blocks", "4.15 and no block more");
  RecordedBlockManager manager(4, 2);
  manager.admit("A", {});
  for (const Ids& table : {Ids{}, Ids{0}, Ids{0}, Ids{0, 1}, Ids{0, 1}, Ids{0, 1, 2}}) {
    manager.expect_can_append("A", true);
    manager.expect_may_append("A", true);
    manager.expect_table("A", table);
    manager.append("A", {7});
  }
  manager.audit();
  log_step("the last four tokens of A are rejected");
  manager.sequence("A").request.token_ids.resize(2);
  manager.expect_can_append("A", true);
  manager.expect_may_append("A", true);
  manager.expect_table("A", {0, 1, 2});
}

TEST(BlockManagerAppend, TwiceIsOnce) {
  SPEC("a second call for the same token takes no second block", kBlockManager,
       "4.15 and no block more");
  RecordedBlockManager manager(4, 2);
  manager.admit("A", {1, 2, 3});
  manager.expect_may_append("A", true);
  manager.expect_may_append("A", true);
  manager.expect_table("A", {0, 1});
  manager.expect_free({2, 3});
}

TEST(BlockManagerAppend, BlocksOfOneToken) {
  SPEC("with blocks of one token each token takes a block", kBlockManager,
       "4.15 have no slot new blocks", "4.14 all tokens of the sequence that have no slot");
  RecordedBlockManager manager(2, 1);
  manager.admit("A", {1});
  manager.expect_may_append("A", true);
  manager.append("A", {2});
  manager.expect_may_append("A", true);
  manager.expect_table("A", {0, 1});
  manager.append("A", {3});
  manager.expect_can_append("A", false);
  manager.expect_may_append("A", false);
  manager.admit("B", {});
  manager.expect_can_append("B", true);
}

TEST(BlockManagerAppend, ExhaustionChangesNothing) {
  SPEC("may_append gives all blocks or none", kBlockManager, "4.15 Exhaustion",
       "4.15 and nothing has changed");
  RecordedBlockManager manager(3, 2);
  manager.admit("A", {1, 2});
  manager.expect_may_append("A", true);
  manager.append("A", {3, 4, 5, 6, 7});
  manager.expect_may_append("A", false);
  manager.expect_table("A", {0});
  manager.expect_free({1, 2});
}

TEST(BlockManagerFree, TheLastBlockFirst) {
  SPEC("deallocate frees the last block first, and the sequence can begin again", kBlockManager,
       "4.16 the last block first", "4.16 The sequence has no blocks", "4.16 no computed tokens",
       "4.16 to the tail of the free queue");
  RecordedBlockManager manager(5, 2);
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_may_append("A", true);
  manager.sequence("A").request.num_computed_tokens = 5;
  manager.deallocate("A");
  manager.expect_free({3, 4, 2, 1, 0});
  manager.expect_table("A", {});
  manager.expect_computed("A", 0);
  manager.sequence("A").request.num_computed_tokens = 2;
  manager.deallocate("A");
  manager.expect_free({3, 4, 2, 1, 0});
  manager.expect_computed("A", 0);
  manager.audit();
}

TEST(BlockManagerFree, SharedBlocksStayInUse) {
  SPEC("a block that another sequence uses stays out of the queue", kBlockManager,
       "4.16 without users");
  RecordedBlockManager manager(3, 2);
  manager.admit("A", {1, 2, 3});
  manager.admit("B", {1, 2});
  manager.expect_may_append("A", true);
  KVCacheBlock* shared = manager.sequence("A").block_table[0];
  manager.sequence("B").block_table = {shared};  // as step 4.20 does
  ++shared->ref_cnt;
  manager.deallocate("A");
  manager.expect_free({2, 1});
  manager.audit();
  log_step("2^16 sequences more use #0 for a while");
  shared->ref_cnt += 0x1'0000;
  manager.deallocate("B");
  manager.expect_free({2, 1});
  shared->ref_cnt -= 0x1'0000 - 1;
  manager.sequence("B").block_table = {shared};
  manager.deallocate("B");
  manager.expect_free({2, 1, 0});
  manager.audit();
}

TEST(BlockManagerHash, CachesWhatIsComputed) {
  SPEC("a block is cached when the model has filled it, chunk by chunk, and not when it is given",
       kBlockManager, "4.17 that they have filled");
  RecordedBlockManager manager(4, 2);
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7});
  manager.expect_may_append("A", true);
  manager.expect_cached({});
  manager.hash("A", 1);
  manager.expect_cached({});
  manager.hash("A", 2);
  manager.expect_cached({0});
  manager.hash("A", 0);
  manager.hash("A", 4);
  manager.expect_cached({0, 1, 2});
  manager.append("A", {8});
  manager.hash("A", 1);
  manager.hash("A", 0);
  manager.expect_cached({0, 1, 2, 3});
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_SAME(manager.block(static_cast<BlockId>(i)).block_hash,
                std::optional(manager.sequence("A").request.block_hashes[i]))
        << "the hash of #" << i;
  manager.expect_num_prefixes(4);
}

TEST(BlockManagerHash, FreeBlocksStayCached) {
  SPEC("deallocate leaves blocks cached; to be given away is what ends that", kBlockManager,
       "4.16 and stays cached", "4.13 not found in it", "4.13 held by it no longer");
  RecordedBlockManager manager(3, 2);
  manager.compute_alone("A", {1, 2, 3, 4});
  manager.deallocate("A");
  manager.expect_cached({0, 1});
  manager.admit("Z", Tokens(7, 9));
  manager.expect_may_append("Z", false);
  manager.expect_cached({0, 1});
  manager.expect_free({2, 1, 0});
  manager.expect_block(2);
  manager.expect_block(1);
  manager.expect_cached({0});
  manager.expect_num_prefixes(1);
  manager.expect_block(0);
  manager.expect_cached({});
  manager.expect_num_prefixes(0);
  RecordedBlockManager of_hash_0(1, 2);
  of_hash_0.admit("B", {7, 7});
  log_step("the hash of the block of B is 0");
  of_hash_0.sequence("B").request.block_hashes = {0};
  of_hash_0.expect_may_append("B", true);
  of_hash_0.hash("B", 2);
  of_hash_0.deallocate("B");
  of_hash_0.expect_block(0);
  of_hash_0.expect_cached({});
  of_hash_0.expect_num_prefixes(0);
}

TEST(BlockManagerHash, NothingGrowsForEver) {
  SPEC("a thousand prompts in a pool of four blocks leave four prefixes", kBlockManager,
       "4.13 held by it no longer");
  RecordedBlockManager manager(4, 1);
  for (TokenId i = 0; i < 1000; ++i) {
    manager.compute_alone("A", {4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3});
    manager.deallocate("A");
  }
  manager.expect_num_prefixes(4);
}

TEST(BlockManagerHash, RefusesTokensWithoutASlot) {
  SPEC("what has no slot cannot have been computed", kBlockManager, "4.17 tokens without a slot");
  RecordedBlockManager manager(4, 2);
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_hash_refused("A", 1, "A has no block");
  manager.expect_may_append("A", true);
  manager.expect_hash_refused("A", 6, "A has 5 tokens");
  for (const std::size_t num : {std::size_t{0x100}, std::size_t{0x1'0000}, std::size_t{1} << 32,
                                std::numeric_limits<std::size_t>::max()})
    manager.expect_hash_refused("A", num, "A has 5 tokens");
  manager.append("A", {6, 7});
  manager.expect_hash_refused("A", 7, "A has 6 slots");
  for (const std::size_t num : {7u, 0x100u, 0x1'0000u}) {
    manager.sequence("A").request.num_computed_tokens = num;
    manager.expect_hash_refused("A", 0, "more tokens are computed than A has slots");
  }
  manager.sequence("A").request.num_computed_tokens = 1;
  manager.expect_hash_refused("A", std::numeric_limits<std::size_t>::max(), "A has 6 slots");
  manager.sequence("A").request.num_computed_tokens = 0;
  manager.hash("A", 6);
}

TEST(BlockManagerHash, RefusesAChunkTwice) {
  SPEC("a block is cached once, and after its parent", kBlockManager,
       "4.17 a block that is cached already", "4.17 whose parent is not cached");
  RecordedBlockManager manager(4, 2);
  manager.admit("A", {1, 2, 3, 4, 5, 6});
  manager.expect_may_append("A", true);
  manager.hash("A", 4);
  manager.sequence("A").request.num_computed_tokens = 0;
  manager.expect_hash_refused("A", 2, "its first block is cached");
  manager.expect_hash_refused("A", 6, "its first two blocks are cached");
  manager.deallocate("A");
  manager.admit("B", {9, 9, 8, 8});
  manager.expect_may_append("B", true);
  manager.sequence("B").request.num_computed_tokens = 2;
  manager.expect_hash_refused("B", 2, "its first block is not cached");
  manager.hash("B", 1);
  RecordedBlockManager of_hash_0(2, 2);
  of_hash_0.admit("C", {7, 7, 8, 8});
  log_step("the hash of the first block of C is 0");
  of_hash_0.sequence("C").request.block_hashes[0] = 0;
  of_hash_0.expect_may_append("C", true);
  of_hash_0.hash("C", 2);
  of_hash_0.hash("C", 2);
  of_hash_0.expect_cached({0, 1});
  of_hash_0.sequence("C").request.num_computed_tokens = 0;
  of_hash_0.expect_hash_refused("C", 2, "its first block is cached");
}

}  // namespace
}  // namespace kv::grader

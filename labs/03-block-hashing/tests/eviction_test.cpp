// Forgetting: on reuse, and everything at once.

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kEvict = "3.14 maybe_evict_cached_block";
constexpr const char* kReset = "3.15 reset_prefix_cache";

TEST(Evict, AReusedBlockIsNotFound) {
  SPEC("a block that is handed out again has lost its hash, and is not found", kEvict);
  RecordedEngine world(4, 2);
  world.live("A", {1, 2, 3, 4});
  world.leave("A");
  world.admit("B", {5, 6, 7, 8});
  world.take("B", 2);
  world.expect_cached({1});
  EXPECT_EQ(world.raw().table("B"), (Ids{3, 2})) << "block 2 was freed first";
  world.expect_hit("A", {1});
}

TEST(Evict, SaysWhetherThereWasSomething) {
  SPEC("true when a block was cached, false when there was nothing to forget", kEvict);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3});
  EXPECT_TRUE(world.pool().maybe_evict_cached_block(world.block(1)));
  EXPECT_FALSE(world.pool().maybe_evict_cached_block(world.block(1)));
  EXPECT_FALSE(world.pool().maybe_evict_cached_block(world.block(2)));
  world.expect_cached({});
  world.expect_hit("A", {});
}

TEST(Evict, TheSiblingAnswers) {
  SPEC("a block with the same prefix keeps its entry", kEvict);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2});
  world.live("B", {1, 2});
  world.expect_hit("A", {1});
  EXPECT_TRUE(world.pool().maybe_evict_cached_block(world.block(1)));
  world.expect_hit("A", {2});
  world.expect_cached({2});
}

TEST(Evict, AChildIsFoundAgain) {
  SPEC("a child whose parent is evicted is found again when the parent is computed again", kEvict);
  RecordedEngine world(8, 2);
  world.live("A", {1, 2, 3, 4});
  world.pool().maybe_evict_cached_block(world.block(1));
  step("maybe_evict_cached_block(#1)");
  result(draw_pool(world.pool()));
  world.expect_hit("A", {});
  world.live("B", {1, 2});
  world.expect_hit("A", {3, 2});
}

TEST(Evict, TheChainIsTakenFromTheRequest) {
  SPEC("when the block before has lost its entry, its prefix still is the request's", kEvict);
  RecordedEngine world(8, 2);
  world.live("A", {1, 2, 3, 4});
  world.pool().maybe_evict_cached_block(world.block(1));
  world.pool().maybe_evict_cached_block(world.block(2));
  step("maybe_evict_cached_block(#1, #2)");
  result(draw_pool(world.pool()));
  append_output_token_ids(world.raw().request("A"), std::vector<TokenId>{5, 6});
  world.take("A", 1);
  world.seal("A");
  world.expect_cached({3});
  world.live("B", {1, 2, 3, 4});
  world.admit("C", {1, 2, 3, 4, 5, 6});
  world.expect_hit("C", {4, 5, 3});
}

TEST(Evict, ForgetsThePrefixToo) {
  SPEC("a prefix is remembered as long as a cached block carries it on, and no longer", kEvict);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3, 4});
  world.pool().maybe_evict_cached_block(world.block(1));
  world.pool().maybe_evict_cached_block(world.block(2));
  EXPECT_EQ(world.pool().prefix_table().size(), 0u);
  append_output_token_ids(world.raw().request("A"), std::vector<TokenId>{5, 6});
  world.take("A", 1);
  world.seal("A");
  world.pool().maybe_evict_cached_block(world.block(3));
  EXPECT_EQ(world.pool().prefix_table().size(), 0u)
      << "of blocks that had lost their entries before";
  const std::vector<KVCacheBlock*> table = {&world.pool().null_block(), &world.block(2)};
  step("cache_full_blocks of the table #0 #2");
  world.pool().cache_full_blocks(world.raw().request("A"), table, 0, 2);
  world.pool().maybe_evict_cached_block(world.block(2));
  EXPECT_EQ(world.pool().prefix_table().size(), 0u) << "of null blocks in the table";
}

TEST(Reset, ForgetsEverything) {
  SPEC("after a reset nothing is found, and the queue is as it was", kReset);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3, 4});
  world.leave("A");
  const Ids free_before = free_ids(world.pool());
  EXPECT_TRUE(world.pool().reset_prefix_cache());
  EXPECT_EQ(world.pool().prefix_table().size(), 0u);
  world.expect_cached({});
  world.expect_hit("A", {});
  EXPECT_EQ(free_ids(world.pool()), free_before);
  world.live("B", {1, 2, 3, 4});
  world.expect_hit("A", world.raw().table("B"));
  world.audit();
}

TEST(Reset, IsRefusedWhileBlocksAreInUse) {
  SPEC("while a block is in use nothing is reset", kReset);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3, 4});
  world.live("B", {5, 6});
  world.leave("A");
  EXPECT_FALSE(world.pool().reset_prefix_cache());
  world.expect_cached({1, 2, 3});
  world.expect_hit("A", {1, 2});
}

}  // namespace
}  // namespace kv::grader

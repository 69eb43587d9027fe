// Sealing blocks, and finding them by prefix.

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kCache = "3.11 cache_full_blocks";
constexpr const char* kGet = "3.12 get_cached_block";

TEST(CacheFullBlocks, SealsFullBlocksOnly) {
  SPEC("a partial block is not cached (I3)", kCache);
  RecordedEngine world(5, 4);
  world.live("A", {1, 2, 3, 4, 5, 6});
  world.expect_cached({1});
  EXPECT_EQ(world.block(1).ref_cnt, 1) << "sealing a block changes no ref_cnt";
  world.audit();
}

TEST(CacheFullBlocks, BlocksGetTheRequestsHashes) {
  SPEC("a sealed block carries the request's hash of it", kCache);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3, 4});
  const Request& request = world.raw().request("A");
  EXPECT_EQ(world.block(1).block_hash, request.block_hashes[0]);
  EXPECT_EQ(world.block(2).block_hash, request.block_hashes[1]);
}

TEST(CacheFullBlocks, ResumesWhereItStopped) {
  SPEC("only blocks from num_cached_blocks on are sealed", kCache);
  RecordedEngine world(6, 2);
  world.live("A", {1, 2, 3});
  world.expect_cached({1});
  append_output_token_ids(world.raw().request("A"), std::vector<TokenId>{4, 5, 6});
  world.take("A", 1);
  world.seal("A");
  world.expect_cached({1, 2, 3});
  EXPECT_EQ(world.block(3).block_hash, world.raw().request("A").block_hashes[2]);
  world.audit();
}

TEST(CacheFullBlocks, EqualBlocksAreNotMerged) {
  SPEC("two requests with the same tokens keep their own blocks (I2)", kCache);
  RecordedEngine world(6, 2);
  world.live("A", {1, 2});
  world.live("B", {1, 2});
  world.expect_cached({1, 2});
  EXPECT_EQ(world.raw().table("B"), Ids{2}) << "a block id is never replaced";
  EXPECT_EQ(world.block(1).prefix_id, world.block(2).prefix_id) << "equal prefixes are one";
}

TEST(CacheFullBlocks, OtherAncestorsAreOtherPrefixes) {
  SPEC("blocks with the same tokens after other tokens are another prefix", kCache);
  RecordedEngine world(6, 2);
  world.live("A", {1, 2, 5, 6});
  world.live("B", {3, 4, 5, 6});
  EXPECT_NE(world.block(2).prefix_id, world.block(4).prefix_id);
}

TEST(CacheFullBlocks, NullBlocksAreSkipped) {
  SPEC("a null block in the table is not cached, and the block after it is", kCache);
  RecordedEngine world(5, 2);
  world.admit("A", {1, 2, 3, 4});
  world.take("A", 1);
  const std::vector<KVCacheBlock*> table = {&world.pool().null_block(), &world.block(1)};
  step("cache_full_blocks of the table #0 #1");
  world.pool().cache_full_blocks(world.raw().request("A"), table, 0, 2);
  world.expect_cached({1});
  EXPECT_EQ(world.block(1).block_hash, world.raw().request("A").block_hashes[1]);
  world.audit();
}

TEST(CacheFullBlocks, AnEmptyRangeChangesNothing) {
  SPEC("nothing new to seal: nothing changes", kCache);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2});
  world.seal("A");
  world.seal("A");
  world.expect_cached({1});
}

TEST(CacheFullBlocks, RefusesWhatIsNotFull) {
  SPEC("a range beyond the request's full blocks is refused", kCache);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3});
  const auto table = blocks_of(world.pool(), world.raw().table("A"));
  const Request& request = world.raw().request("A");
  EXPECT_THROW(world.pool().cache_full_blocks(request, table, 1, 2), ContractViolation);
  EXPECT_THROW(world.pool().cache_full_blocks(request, table, 0, 1), ContractViolation)
      << "block 1 has a hash already";
  world.expect_cached({1});
}

std::string cached_block(RecordedEngine& world, PrefixId prefix) {
  return draw_block(world.pool().get_cached_block(prefix), world.pool().blocks());
}

TEST(CachedBlock, IsFoundByItsPrefix) {
  SPEC("a sealed block is found by its prefix", kGet);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3, 4});
  EXPECT_EQ(cached_block(world, world.block(1).prefix_id), "#1");
  EXPECT_EQ(cached_block(world, world.block(2).prefix_id), "#2");
  EXPECT_EQ(cached_block(world, ~world.block(2).prefix_id), "nullptr");
}

TEST(CachedBlock, TheOldestDuplicateIsFound) {
  SPEC("of several blocks with one prefix, the oldest answers", kGet);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2});
  world.live("B", {1, 2});
  EXPECT_EQ(cached_block(world, world.block(2).prefix_id), "#1");
}

}  // namespace
}  // namespace kv::grader

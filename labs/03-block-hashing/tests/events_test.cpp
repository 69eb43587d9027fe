// What a router is sent.

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kEvents = "3.18 take_events";
using Events = std::vector<KVCacheEvent>;

RecordedEngine& with_events(RecordedEngine& world) {
  world.pool().enable_kv_cache_events();
  return world;
}

TEST(Events, OneForEachCallThatSealed) {
  SPEC("cache_full_blocks stores one event, with the hash of the block before it", kEvents);
  RecordedEngine world(8, 2);
  with_events(world).live("A", {1, 2, 3});
  const Request& request = world.raw().request("A");
  const auto& hashes = request.block_hashes;
  const BlockStored first{.block_hashes = {hashes[0]},
                          .parent_block_hash = std::nullopt,
                          .token_ids = {1, 2},
                          .block_size = 2,
                          .lora_name = ""};
  EXPECT_EQ(world.pool().take_events(), Events{first});
  append_output_token_ids(world.raw().request("A"), std::vector<TokenId>{4, 5, 6});
  world.take("A", 1);
  world.seal("A");
  const BlockStored second{.block_hashes = {hashes[1], hashes[2]},
                           .parent_block_hash = hashes[0],
                           .token_ids = {3, 4, 5, 6},
                           .block_size = 2,
                           .lora_name = ""};
  EXPECT_EQ(world.pool().take_events(), Events{second});
}

TEST(Events, NullBlocksHaveTokensOnly) {
  SPEC("of a null block in the range the event has the tokens, and no hash", kEvents);
  RecordedEngine world(8, 2);
  with_events(world).admit("A", {1, 2, 3, 4});
  world.take("A", 1);
  const std::vector<KVCacheBlock*> table = {&world.pool().null_block(), &world.block(1)};
  step("cache_full_blocks of the table #0 #1");
  const Request& request = world.raw().request("A");
  world.pool().cache_full_blocks(request, table, 0, 2);
  const BlockStored stored{.block_hashes = {request.block_hashes[1]},
                           .parent_block_hash = std::nullopt,
                           .token_ids = {1, 2, 3, 4},
                           .block_size = 2,
                           .lora_name = ""};
  EXPECT_EQ(world.pool().take_events(), Events{stored});
}

TEST(Events, AreTakenOnce) {
  SPEC("an event is taken once, and an empty range makes none", kEvents);
  RecordedEngine world(8, 2);
  with_events(world).live("A", {1, 2});
  EXPECT_EQ(world.pool().take_events().size(), 1u);
  world.seal("A");
  EXPECT_EQ(world.pool().take_events(), Events{});
}

TEST(Events, OneForEachBlockRemoved) {
  SPEC("each block that is forgotten is one event, on reuse", kEvents);
  RecordedEngine world(4, 2);
  with_events(world).live("A", {1, 2, 3, 4});
  const auto hashes = world.raw().request("A").block_hashes;
  world.leave("A");
  world.pool().take_events();
  world.admit("B", {7, 8, 9});
  world.take("B", 3);
  EXPECT_EQ(world.pool().take_events(), (Events{BlockRemoved{hashes[1]}, BlockRemoved{hashes[0]}}));
}

TEST(Events, OneForAReset) {
  SPEC("a reset is one event, and a refused one is none", kEvents);
  RecordedEngine world(5, 2);
  with_events(world).live("A", {1, 2, 3, 4});
  world.pool().take_events();
  world.pool().reset_prefix_cache();
  EXPECT_EQ(world.pool().take_events(), Events{});
  world.leave("A");
  world.pool().reset_prefix_cache();
  EXPECT_EQ(world.pool().take_events(), Events{AllBlocksCleared{}});
}

TEST(Events, NoneUnlessAskedFor) {
  SPEC("a pool that was not asked for events keeps none", kEvents);
  RecordedEngine world(5, 2);
  world.live("A", {1, 2, 3, 4});
  world.pool().maybe_evict_cached_block(world.block(2));
  world.leave("A");
  world.pool().reset_prefix_cache();
  EXPECT_EQ(world.pool().take_events(), Events{});
}

}  // namespace
}  // namespace kv::grader

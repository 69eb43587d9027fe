// What a router is sent.

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kEvents = "3.18 take_events";
using Events = std::vector<KVCacheEvent>;

RecordedEngine& with_events(RecordedEngine& engine) {
  engine.pool().enable_kv_cache_events();
  return engine;
}

TEST(Events, OneForEachCallThatSealed) {
  SPEC("cache_full_blocks stores one event, with the hash of the block before it", kEvents);
  RecordedEngine engine(8, 2);
  with_events(engine).compute("A", {1, 2, 3});
  const Request& request = engine.raw().request("A");
  const auto& hashes = request.block_hashes;
  const BlockStored first{.block_hashes = {hashes[0]},
                          .parent_block_hash = std::nullopt,
                          .token_ids = {1, 2},
                          .block_size = 2,
                          .lora_name = ""};
  EXPECT_EQ(engine.pool().take_events(), Events{first});
  append_output_token_ids(engine.raw().request("A"), std::vector<TokenId>{4, 5, 6});
  engine.take("A", 1);
  engine.seal("A");
  const BlockStored second{.block_hashes = {hashes[1], hashes[2]},
                           .parent_block_hash = hashes[0],
                           .token_ids = {3, 4, 5, 6},
                           .block_size = 2,
                           .lora_name = ""};
  EXPECT_EQ(engine.pool().take_events(), Events{second});
}

TEST(Events, NullBlocksHaveTokensOnly) {
  SPEC("of a null block in the range the event has the tokens, and no hash", kEvents);
  RecordedEngine engine(8, 2);
  with_events(engine).admit("A", {1, 2, 3, 4});
  engine.take("A", 1);
  const std::vector<KVCacheBlock*> table = {&engine.pool().null_block(), &engine.block(1)};
  log_step("cache_full_blocks of the table #0 #1");
  const Request& request = engine.raw().request("A");
  engine.pool().cache_full_blocks(request, table, 0, 2);
  const BlockStored stored{.block_hashes = {request.block_hashes[1]},
                           .parent_block_hash = std::nullopt,
                           .token_ids = {1, 2, 3, 4},
                           .block_size = 2,
                           .lora_name = ""};
  EXPECT_EQ(engine.pool().take_events(), Events{stored});
  const std::vector<KVCacheBlock*> null_blocks(2, &engine.pool().null_block());
  log_step("cache_full_blocks of the table #0 #0");
  engine.pool().cache_full_blocks(request, null_blocks, 0, 2);
  const BlockStored nothing{.block_hashes = {},
                            .parent_block_hash = std::nullopt,
                            .token_ids = {1, 2, 3, 4},
                            .block_size = 2,
                            .lora_name = ""};
  EXPECT_EQ(engine.pool().take_events(), Events{nothing});
}

TEST(Events, AreTakenOnce) {
  SPEC("an event is taken once, and an empty range makes none", kEvents, "3.11 an empty range");
  RecordedEngine engine(8, 2);
  with_events(engine).compute("A", {1, 2});
  EXPECT_EQ(engine.pool().take_events().size(), 1u);
  engine.seal("A");
  EXPECT_EQ(engine.pool().take_events(), Events{});
}

TEST(Events, OneForEachBlockRemoved) {
  SPEC("each block that loses its hash on reuse is one event", kEvents, "oldest first");
  RecordedEngine engine(4, 2);
  with_events(engine).compute("A", {1, 2, 3, 4});
  const auto hashes = engine.raw().request("A").block_hashes;
  engine.free("A");
  engine.pool().take_events();
  engine.admit("B", {7, 8, 9});
  engine.take("B", 3);
  EXPECT_EQ(engine.pool().take_events(),
            (Events{BlockRemoved{hashes[1]}, BlockRemoved{hashes[0]}}));
}

TEST(Events, OneForEachDuplicateRemoved) {
  SPEC("each of several blocks with one prefix is an event of its own when it is evicted", kEvents,
       "The events of the cache");
  RecordedEngine engine(4, 2);
  with_events(engine).compute("A", {1, 2});
  engine.compute("B", {1, 2});
  const BlockRemoved removed{engine.raw().request("A").block_hashes[0]};
  engine.pool().take_events();
  for (const BlockId id : {1, 2}) {
    log_step("maybe_evict_cached_block(#" + std::to_string(id) + ")");
    engine.pool().maybe_evict_cached_block(engine.block(id));
    EXPECT_EQ(engine.pool().take_events(), Events{removed});
  }
}

TEST(Events, OneForAReset) {
  SPEC("a reset is one event, and a refused one is none", kEvents);
  RecordedEngine engine(5, 2);
  with_events(engine).compute("A", {1, 2, 3, 4});
  engine.pool().take_events();
  engine.pool().reset_prefix_cache();
  EXPECT_EQ(engine.pool().take_events(), Events{});
  engine.free("A");
  engine.pool().reset_prefix_cache();
  EXPECT_EQ(engine.pool().take_events(), Events{AllBlocksCleared{}});
}

TEST(Events, NoneUnlessAskedFor) {
  SPEC("a pool that was not asked for events keeps none", kEvents, "none unless");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.pool().maybe_evict_cached_block(engine.block(2));
  engine.free("A");
  engine.pool().reset_prefix_cache();
  EXPECT_EQ(engine.pool().take_events(), Events{});
}

}  // namespace
}  // namespace kv::grader

// What a router is sent.

#include <algorithm>
#include <variant>

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kEvents = "3.18 take_events";
using Events = std::vector<KVCacheEvent>;

// "block 1": of the request whose hashes these are.
std::string draw_hash(BlockHash hash, const std::vector<BlockHash>& hashes) {
  const auto place = std::ranges::find(hashes, hash);
  if (place == hashes.end()) return "another hash";
  return "block " + std::to_string(place - hashes.begin());
}

std::string draw_event(const KVCacheEvent& event, const std::vector<BlockHash>& hashes) {
  if (std::holds_alternative<AllBlocksCleared>(event)) return "all cleared";
  if (const auto* removed = std::get_if<BlockRemoved>(&event)) {
    return draw_hash(removed->block_hash, hashes) + " removed";
  }
  const auto& stored = std::get<BlockStored>(event);
  std::string text;
  for (const BlockHash hash : stored.block_hashes) text += draw_hash(hash, hashes) + ", ";
  text = "stored " + (text.empty() ? "no block, " : text);
  if (stored.parent_block_hash) {
    text += "after " + draw_hash(*stored.parent_block_hash, hashes) + ", ";
  }
  if (!stored.lora_name.empty()) text += "adapter " + stored.lora_name + ", ";
  return text + "tokens " + draw(stored.token_ids) + " in blocks of " +
         std::to_string(stored.block_size);
}

// "{block 1 removed; all cleared}"; the hashes are those of request A.
std::string draw_events(const Events& events, RecordedEngine& engine) {
  std::string text;
  for (const KVCacheEvent& event : events) {
    text += (text.empty() ? "" : "; ") + draw_event(event, engine.raw().request("A").block_hashes);
  }
  return text.empty() ? "no event" : "{" + text + "}";
}

Events take_events(RecordedEngine& engine) {
  log_step({"take_events()", "take_events()"});
  const Events events = engine.pool().take_events();
  log_pool_return(engine.pool(), draw_events(events, engine));
  return events;
}

void expect_events(RecordedEngine& engine, const Events& expected) {
  const Events yours = take_events(engine);
  if (yours == expected) return;
  ADD_FAILURE() << "expected take_events() to give\n  " << draw_events(expected, engine)
                << ", yours gave\n  " << draw_events(yours, engine);
}

RecordedEngine& with_events(RecordedEngine& engine) {
  engine.pool().enable_kv_cache_events();
  return engine;
}

// One call that seals 70,000 blocks makes one event, with all of them.
void expect_a_long_event() {
  constexpr std::size_t kNumBlocks = 70'000;
  RecordedEngine engine(kNumBlocks + 1, 1);
  with_events(engine).compute_long("A", Tokens(kNumBlocks, 7));
  const Events yours = engine.pool().take_events();
  const Request& request = engine.raw().request("A");
  const BlockStored expected{.block_hashes = request.block_hashes,
                             .parent_block_hash = std::nullopt,
                             .token_ids = request.token_ids,
                             .block_size = 1,
                             .lora_name = ""};
  EXPECT_HOLDS(yours == Events{expected})
      << "expected one event with " << kNumBlocks << " hashes and as many tokens";
}

TEST(Events, OneForEachCallThatSealed) {
  SPEC("cache_full_blocks stores one event, with the hash of the block before it", kEvents);
  allow_steps(20'000'000);
  expect_a_long_event();
  RecordedEngine engine(8, 2);
  with_events(engine).compute("A", {1, 2, 3});
  const Request& request = engine.raw().request("A");
  const auto& hashes = request.block_hashes;
  const BlockStored first{.block_hashes = {hashes[0]},
                          .parent_block_hash = std::nullopt,
                          .token_ids = {1, 2},
                          .block_size = 2,
                          .lora_name = ""};
  expect_events(engine, Events{first});
  append_output_token_ids(engine.raw().request("A"), std::vector<TokenId>{4, 5, 6});
  engine.take("A", 1);
  engine.seal("A");
  const BlockStored second{.block_hashes = {hashes[1], hashes[2]},
                           .parent_block_hash = hashes[0],
                           .token_ids = {3, 4, 5, 6},
                           .block_size = 2,
                           .lora_name = ""};
  expect_events(engine, Events{second});
}

// A computes two blocks and loses the second one: it is evicted, or dropped for the null block. The
// next event names it as the parent anyway.
void expect_parent_of_the_request(bool is_evicted) {
  RecordedEngine engine(8, 2);
  with_events(engine).compute("A", {1, 2, 3, 4});
  if (is_evicted) engine.evict({2});
  if (!is_evicted) engine.drop("A", 1);
  take_events(engine);
  engine.append("A", {5, 6});
  engine.take("A", 1);
  engine.seal("A");
  const auto& hashes = engine.raw().request("A").block_hashes;
  expect_events(engine, Events{BlockStored{.block_hashes = {hashes[2]},
                                           .parent_block_hash = hashes[1],
                                           .token_ids = {5, 6},
                                           .block_size = 2,
                                           .lora_name = ""}});
}

TEST(Events, NullBlocksHaveTokensOnly) {
  SPEC(
      "of a null block the event has the tokens, and no hash; as a parent it has that of its "
      "tokens",
      kEvents);
  for (const bool is_evicted : {true, false}) expect_parent_of_the_request(is_evicted);
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
  expect_events(engine, Events{stored});
  const std::vector<KVCacheBlock*> null_blocks(2, &engine.pool().null_block());
  log_step("cache_full_blocks of the table #0 #0");
  engine.pool().cache_full_blocks(request, null_blocks, 0, 2);
  const BlockStored nothing{.block_hashes = {},
                            .parent_block_hash = std::nullopt,
                            .token_ids = {1, 2, 3, 4},
                            .block_size = 2,
                            .lora_name = ""};
  expect_events(engine, Events{nothing});
}

TEST(Events, AreTakenOnce) {
  SPEC("an event is taken once; an empty range and a refused call make none", kEvents,
       "3.11 an empty range");
  RecordedEngine engine(8, 2);
  with_events(engine).compute("A", {1, 2});
  EXPECT_SAME(take_events(engine).size(), 1u) << "one call has sealed something";
  engine.seal("A");
  engine.cache("A", {1}, 1, 0);
  expect_events(engine, Events{});
  const std::vector<KVCacheBlock*> table = {&engine.block(1)};
  const Request& request = engine.raw().request("A");
  EXPECT_REFUSED(engine.pool().cache_full_blocks(request, table, 0, 1)) << "#1 is cached already";
  expect_events(engine, Events{});
}

// The first block of request A is cached in #1 and evicted, again and again: take_events() gives
// the events of all these calls, in their order.
void expect_many_events(RecordedEngine& engine, std::size_t num_events) {
  const Request& request = engine.raw().request("A");
  const std::vector<KVCacheBlock*> table = {&engine.block(1)};
  const KVCacheEvent events_of_one[] = {stored_event(request, table, 0, 1),
                                        BlockRemoved{request.block_hashes[0]}};
  log_step({"take_events(num_events)", "take_events() after #1 is cached and evicted: {0} events"},
           num_events);
  for (std::size_t i = 0; i < num_events / 2; ++i) {
    engine.pool().cache_full_blocks(request, table, 0, 1);
    engine.pool().maybe_evict_cached_block(engine.block(1));
  }
  const Events yours = engine.pool().take_events();
  log_returned();
  ASSERT_SAME(yours.size(), num_events) << "one for each call";
  for (std::size_t i = 0; i < num_events; ++i) {
    if (yours[i] == events_of_one[i % 2]) continue;
    ADD_FAILURE() << "event " << i << " of " << num_events << ": expected "
                  << draw_event(events_of_one[i % 2], request.block_hashes) << ", yours is "
                  << draw_event(yours[i], request.block_hashes);
    return;
  }
}

TEST(Events, OneForEachBlockRemoved) {
  SPEC("each block that loses its hash on reuse is one event, however many there are", kEvents,
       "oldest first");
  RecordedEngine engine(4, 2);
  with_events(engine).compute("A", {1, 2, 3, 4});
  const auto hashes = engine.raw().request("A").block_hashes;
  engine.free("A");
  take_events(engine);
  engine.admit("B", {7, 8, 9});
  engine.take("B", 3);
  expect_events(engine, Events{BlockRemoved{hashes[1]}, BlockRemoved{hashes[0]}});
  engine.seal("B");
  take_events(engine);
  engine.evict({1, 3});  // #1 has no hash
  expect_events(engine, Events{BlockRemoved{engine.raw().request("B").block_hashes[0]}});
  expect_many_events(engine, 70'000);
}

// Evicts #1, #2 and #3, which hold one prefix, in some order, and takes the events after the first
// one and at the end.
void expect_removed(const Ids& order) {
  RecordedEngine engine(4, 2);
  for (const char* name : {"A", "B", "C"}) engine.compute(name, {1, 2});
  const BlockRemoved removed{engine.raw().request("A").block_hashes[0]};
  with_events(engine);
  engine.maybe_evict(order[0]);
  expect_events(engine, Events{removed});
  for (const BlockId id : {order[1], order[2]}) engine.maybe_evict(id);
  expect_events(engine, Events{removed, removed});
}

TEST(Events, OneForEachDuplicateRemoved) {
  SPEC("each of several blocks with one prefix is an event of its own when it is evicted", kEvents,
       "The events of the cache");
  for (const Ids& order : {Ids{1, 2, 3}, Ids{3, 2, 1}, Ids{2, 3, 1}}) expect_removed(order);
}

TEST(Events, OneForAReset) {
  SPEC("a reset is one event after those before it, and a refused one is none", kEvents);
  RecordedEngine engine(5, 2);
  with_events(engine).compute("A", {1, 2, 3, 4});
  take_events(engine);
  engine.reset();
  expect_events(engine, Events{});
  const BlockRemoved removed{engine.raw().request("A").block_hashes[1]};
  engine.maybe_evict(2);
  engine.free("A");
  engine.reset();
  expect_events(engine, Events{removed, AllBlocksCleared{}});
  engine.compute("B", {5, 6});
  engine.expect_hit("B", {3});
  engine.free("B");
  take_events(engine);
  engine.reset();
  engine.reset();  // the cache is empty already
  expect_events(engine, Events{AllBlocksCleared{}, AllBlocksCleared{}});
}

// A pool with caching off: nothing is stored and nothing removed, whatever happens to the blocks.
void expect_no_event_without_caching() {
  BlockPool pool(4, 2, false);
  pool.enable_kv_cache_events();
  log_step("with caching off: get_new_blocks(3), touch, free_blocks, evict_blocks");
  const auto blocks = *pool.get_new_blocks(3);
  pool.touch(blocks);
  for (int i = 0; i < 2; ++i) pool.free_blocks(blocks);
  pool.get_new_blocks(3);
  pool.evict_blocks(std::vector<BlockId>{1, 2});
  EXPECT_SAME(pool.take_events().size(), 0u) << "events of a pool that caches nothing";
}

// What was cached before the pool was asked for events is removed like everything else.
void expect_removed_after_it_was_asked_for() {
  RecordedEngine engine(4, 2);
  engine.compute("A", {1, 2, 3, 4, 5, 6});
  engine.free("A");
  with_events(engine).admit("B", {7, 8, 9});
  engine.take("B", 1);
  engine.evict({1});
  engine.evict({2});
  const auto& hashes = engine.raw().request("A").block_hashes;
  expect_events(engine,
                Events{BlockRemoved{hashes[2]}, BlockRemoved{hashes[0]}, BlockRemoved{hashes[1]}});
}

TEST(Events, NoneUnlessAskedFor) {
  SPEC("a pool keeps no events of the time before it was asked for them", kEvents, "none of calls");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.maybe_evict(2);
  engine.free("A");
  engine.reset();
  expect_events(engine, Events{});
  RecordedEngine other(5, 2);
  with_events(other).compute("A", {1, 2});
  engine.compute("B", {5, 6});
  expect_events(engine, Events{});
  EXPECT_SAME(take_events(other).size(), 1u) << "the pool beside it was asked for events";
  expect_events(with_events(engine), Events{});
  expect_no_event_without_caching();
  expect_removed_after_it_was_asked_for();
}

}  // namespace
}  // namespace kv::grader

// Eviction of a block that is reused, of blocks by a call, and of everything at once.

#include <cstdint>

#include "03-block-hashing/tests/any_hash.h"

namespace kv::grader {

namespace {

constexpr const char* kEvict = "3.14 maybe_evict_cached_block";
constexpr const char* kReset = "3.15 reset_prefix_cache";

TEST(Evict, AReusedBlockIsNotFound) {
  SPEC("a block that is handed out again has lost its hash, and is not found", kEvict,
       "clears its hash");
  RecordedEngine engine(4, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.free("A");
  engine.admit("B", {5, 6, 7, 8});
  engine.take("B", 2);
  engine.expect_cached({1});
  EXPECT_SAME(engine.raw().table("B"), (Ids{3, 2})) << "block 2 was freed first";
  engine.expect_hit("A", {1});
}

// Block 3, which two requests use, is cached under this hash and evicted.
void expect_evicted_with(RecordedEngine& engine, BlockHash hash) {
  engine.admit("B", {7, 8});
  engine.raw().request("B").block_hashes = {hash};
  engine.cache("B", {3}, 0, 1);
  log_step("touch(#3), whose hash is " + std::to_string(hash));
  engine.pool().touch(blocks_of(engine.pool(), {3}));
  engine.expect_hit("B", {3});
  engine.expect_evicted(3);
  engine.expect_evicted(3, false);
  engine.expect_hit("B", {});
  engine.expect_num_prefixes(0);
}

// The last of three blocks is evicted, and those before it are still found.
void expect_last_evicted(const std::vector<BlockHash>& hashes) {
  RecordedEngine engine(4, 2);
  compute_with(engine, hashes);
  engine.expect_evicted(3);
  engine.expect_hit("A", {1, 2});
}

TEST(Evict, SaysWhetherThereWasSomething) {
  SPEC("true if the block was cached, false if there was nothing to evict", kEvict,
       "False if it has no hash");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3});
  engine.expect_evicted(1);
  engine.expect_evicted(1, false);
  engine.expect_evicted(2, false);
  engine.expect_cached({});
  engine.expect_hit("A", {});
  engine.take("A", 1);
  for (const BlockHash hash : {BlockHash{0}, ~BlockHash{0}}) expect_evicted_with(engine, hash);
  for (const std::vector<BlockHash>& hashes : any_hashes()) expect_last_evicted(hashes);
}

// Three blocks hold one prefix; the second goes first, and is cached again as the youngest.
void expect_order_of_duplicates() {
  RecordedEngine engine(5, 2);
  for (const char* name : {"A", "B", "C"}) engine.compute(name, {1, 2});
  engine.expect_hit("A", {1});
  for (const BlockId id : {2, 1}) engine.expect_evicted(id);
  for (const BlockId id : {1, 2}) engine.cache("A", {id}, 0, 1);
  for (const BlockId id : {3, 1, 2}) {
    engine.expect_hit("A", {id});
    engine.expect_evicted(id);
  }
  engine.expect_hit("A", {});
  engine.expect_num_prefixes(0);
}

TEST(Evict, TheSiblingAnswers) {
  SPEC("a block with the same prefix keeps its entry", kEvict,
       "Removes a block from the prefix cache", "Duplicates stay");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2});
  engine.compute("B", {1, 2});
  engine.expect_hit("A", {1});
  engine.expect_evicted(1);
  engine.expect_hit("A", {2});
  engine.expect_cached({2});
  engine.expect_evicted(2);
  engine.expect_num_prefixes(0);
  engine.expect_hit("A", {});
  engine.compute("C", {3, 4});  // a new prefix; the old one's id may be used again
  engine.expect_hit("A", {});
  engine.expect_hit("C", {3});
  expect_order_of_duplicates();
}

TEST(Evict, AChildIsFoundAgain) {
  SPEC("a child whose parent is evicted is found again when the parent is computed again", kEvict);
  RecordedEngine engine(8, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.maybe_evict(1);
  engine.expect_hit("A", {});
  engine.compute("B", {1, 2});
  engine.expect_hit("A", {3, 2});
}

TEST(Evict, TheChainIsTakenFromTheRequest) {
  SPEC("when the block before has lost its entry, its prefix still is the request's", kEvict,
       "3.9 A new prefix holds its parent");
  RecordedEngine engine(8, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.maybe_evict(1);
  engine.maybe_evict(2);
  append_output_token_ids(engine.raw().request("A"), std::vector<TokenId>{5, 6});
  engine.take("A", 1);
  engine.seal("A");
  engine.expect_cached({3});
  engine.compute("B", {1, 2, 3, 4});
  engine.admit("C", {1, 2, 3, 4, 5, 6});
  engine.expect_hit("C", {4, 5, 3});
}

TEST(Evict, TheChainIsTakenFromALongRequest) {
  SPEC("the same after 2^16 blocks", kEvict);
  allow_steps(40'000'000);
  constexpr BlockId kNumBlocks = 0x1'0000;
  RecordedEngine engine(2 * kNumBlocks + 3, 1);
  Tokens tokens(kNumBlocks, 7);
  engine.compute("A", tokens);
  engine.maybe_evict(kNumBlocks);
  engine.append("A", {8});
  engine.take("A", 1);
  engine.seal("A");
  tokens.push_back(8);
  engine.compute("B", tokens);
  const KVCacheBlock& last_of_a = engine.block(kNumBlocks + 1);
  const KVCacheBlock& last_of_b = engine.block(2 * kNumBlocks + 2);
  EXPECT_HOLDS(engine.pool().get_cached_block(last_of_b.prefix_id) == &last_of_a)
      << "the last blocks of A and B end the same prefix, but the block of A is not found by it";
}

TEST(Evict, ForgetsThePrefixToo) {
  SPEC("a prefix is remembered as long as a cached block carries it on, and no longer", kEvict);
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.maybe_evict(1);
  engine.maybe_evict(2);
  engine.expect_num_prefixes(0);
  append_output_token_ids(engine.raw().request("A"), std::vector<TokenId>{5, 6});
  engine.take("A", 1);
  engine.seal("A");
  engine.maybe_evict(3);
  engine.expect_num_prefixes(0);
  for (const Ids& table : {Ids{0, 2}, Ids{0, 0, 2}, Ids{2, 0, 0}, Ids{2, 0}, Ids{0, 2, 0}}) {
    engine.cache("A", table, 0, table.size());
    engine.maybe_evict(2);
    engine.expect_num_prefixes(0);
  }
}

// #1 was followed by #2, which held the same prefix.
void expect_no_links_after_a_reset() {
  RecordedEngine engine(4, 2);
  for (const char* name : {"A", "B"}) engine.compute(name, {1, 2});
  for (const char* name : {"A", "B"}) engine.free(name);
  engine.expect_reset(true);
  engine.expect_reset(true);  // the cache is empty already
  for (const BlockId id : {1, 3}) {
    engine.cache("A", {id}, 0, 1);
    engine.expect_hit("A", {id});
    engine.expect_evicted(id);
  }
  engine.expect_num_prefixes(0);
}

TEST(Reset, ForgetsEverything) {
  SPEC("after a reset nothing is found, and the queue is as it was", kReset,
       "Empties the prefix cache");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.free("A");
  const Ids free_before = free_ids(engine.pool());
  const PrefixId prefix = engine.block(1).prefix_id;
  EXPECT_HOLDS(engine.pool().get_cached_block(prefix) != nullptr) << "#1 holds its prefix";
  engine.expect_reset(true);
  EXPECT_HOLDS(engine.pool().get_cached_block(prefix) == nullptr)
      << "after a reset no block holds the prefix that #1 had";
  engine.expect_num_prefixes(0);
  engine.expect_cached({});
  engine.expect_hit("A", {});
  engine.expect_free(free_before);
  engine.compute("B", {1, 2, 3, 4});
  engine.expect_hit("A", engine.raw().table("B"));
  engine.audit();
  expect_no_links_after_a_reset();
  BlockPool without_cache(5, 2, /*enable_caching=*/false);
  EXPECT_SAME(without_cache.reset_prefix_cache(), true) << "caching is off, and no block is in use";
}

TEST(Reset, OfALargePool) {
  SPEC("a pool of 2^16 blocks is reset as a small one is", kReset);
  RecordedEngine engine(0x1'0001, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.free("A");
  engine.expect_reset(true);
  engine.expect_cached({});
}

TEST(Reset, IsRefusedWhileBlocksAreInUse) {
  SPEC("while a block is in use nothing is reset", kReset, "while any block");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.compute("B", {5, 6});
  engine.free("A");
  engine.expect_reset(false);
  engine.expect_cached({1, 2, 3});
  engine.expect_hit("A", {1, 2});
  BlockPool large_pool(200'000, 1);
  large_pool.get_new_blocks(1);
  EXPECT_SAME(large_pool.reset_prefix_cache(), false) << "one block of 200,000 is in use";
}

constexpr const char* kEvictBlocks = "3.17 evict_blocks";

TEST(EvictBlocks, ForgetsBlocksInUse) {
  SPEC("a block in use is evicted too; ref_cnt and queue stay", kEvictBlocks,
       "Does 3.14 for these blocks", "ref_cnt and queue stay");
  RecordedEngine engine(6, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.evict({3, 0, 2, 2});
  engine.expect_cached({1});
  engine.expect_hit("A", {1});
  engine.expect_ref_cnt(2, 1);
  engine.expect_free({3, 4, 5});
  engine.audit();
}

// Three blocks hold one prefix; the one in the middle goes first.
void expect_duplicates_evicted_one_by_one() {
  RecordedEngine engine(5, 2);
  for (const char* name : {"A", "B", "C"}) engine.compute(name, {1, 2});
  engine.evict({2});
  engine.expect_cached({1, 3});
  engine.evict({1});
  engine.expect_hit("A", {3});
  engine.evict({3});
  engine.expect_hit("A", {});
  engine.expect_num_prefixes(0);
}

TEST(EvictBlocks, ForgetsEachOfThem) {
  SPEC("each block of the list is evicted, and no other, also in a pool of 2^16 blocks",
       kEvictBlocks);
  RecordedEngine engine(0x1'0002, 2);
  engine.compute("A", {1, 2, 3, 4, 5, 6, 7, 8});
  engine.evict({4, 2, 0x1'0001, 3});
  engine.expect_cached({1});
  engine.evict({});
  engine.expect_cached({1});
  engine.evict({2, 1});
  engine.expect_cached({});
  engine.expect_num_prefixes(0);
  expect_duplicates_evicted_one_by_one();
}

TEST(EvictBlocks, RefusesAnIdOfNoBlock) {
  SPEC("an id of no block refuses the whole call", kEvictBlocks, "an id of no block");
  RecordedEngine engine(4, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.evict({});
  for (const BlockId id : {4, -1, 0x1'0001, INT32_MIN, INT32_MAX}) {
    for (const Ids& ids : {Ids{1, id}, Ids{id, 1}, Ids{1, id, 2}})
      EXPECT_REFUSED(engine.pool().evict_blocks(ids)) << "there is no block " << id;
  }
  engine.expect_cached({1, 2});
}

}  // namespace

}  // namespace kv::grader

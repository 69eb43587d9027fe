// Sealing blocks, and finding them by prefix.

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kCache = "3.11 cache_full_blocks";
constexpr const char* kGet = "3.12 get_cached_block";

TEST(CacheFullBlocks, SealsFullBlocksOnly) {
  SPEC("a partial block is not cached (I3)", kCache);
  RecordedEngine engine(5, 4);
  engine.admit("A", {1, 2, 3, 4, 5, 6});
  engine.take("A", 2);
  engine.pool().touch(blocks_of(engine.pool(), {1}));
  engine.seal("A");
  engine.expect_cached({1});
  engine.expect_ref_cnt(1, 2);
  engine.admit("B", {7, 7, 7, 7});
  engine.cache("B", {3}, 0, 1);
  engine.expect_cached({1, 3});
  engine.expect_ref_cnt(3, 0);
  engine.audit();
}

TEST(CacheFullBlocks, BlocksGetTheRequestsHashes) {
  SPEC("a sealed block carries the request's hash of it", kCache, "Seals blocks",
       "the hash and prefix");
  allow_steps(20'000'000);
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.expect_hash(1, "A", 0);
  engine.expect_hash(2, "A", 1);
  constexpr std::size_t kNumBlocks = 70'000;
  RecordedEngine large(kNumBlocks + 1, 1);
  large.compute_long("B", Tokens(kNumBlocks, 7));
  for (const std::size_t i : {std::size_t{0}, kNumBlocks / 2, kNumBlocks - 1})
    large.expect_hash(static_cast<BlockId>(i + 1), "B", i);
}

TEST(CacheFullBlocks, ResumesWhereItStopped) {
  SPEC("only blocks from num_cached_blocks on are sealed", kCache);
  RecordedEngine engine(6, 2);
  engine.compute("A", {1, 2, 3});
  engine.expect_cached({1});
  append_output_token_ids(engine.raw().request("A"), std::vector<TokenId>{4, 5, 6});
  engine.take("A", 1);
  engine.seal("A");
  engine.expect_cached({1, 2, 3});
  engine.expect_hash(3, "A", 2);
  engine.audit();
}

TEST(CacheFullBlocks, EqualBlocksAreNotMerged) {
  SPEC("two requests with the same tokens keep their own blocks (I2)", kCache, "not merged");
  RecordedEngine engine(6, 2);
  engine.compute("A", {1, 2});
  engine.compute("B", {1, 2});
  engine.expect_cached({1, 2});
  EXPECT_SAME(engine.raw().table("B"), Ids{2}) << "a block id is never replaced";
  EXPECT_SAME(engine.block(1).prefix_id, engine.block(2).prefix_id) << "equal prefixes are one";
}

TEST(CacheFullBlocks, OtherAncestorsAreOtherPrefixes) {
  SPEC("blocks with the same tokens after other tokens are another prefix", kCache);
  RecordedEngine engine(6, 2);
  engine.compute("A", {1, 2, 5, 6});
  engine.compute("B", {3, 4, 5, 6});
  EXPECT_DIFFERENT(engine.block(2).prefix_id, engine.block(4).prefix_id)
      << "the prefixes of #2 and #4";
}

TEST(CacheFullBlocks, NullBlocksAreSkipped) {
  SPEC("a null block in the table is not cached, and the block after it is", kCache,
       "Null blocks are skipped");
  RecordedEngine engine(5, 2);
  engine.admit("A", {1, 2, 3, 4});
  engine.take("A", 1);
  engine.cache("A", {0, 1}, 0, 2);
  engine.expect_cached({1});
  engine.expect_hash(1, "A", 1);
  engine.cache("A", {2, 0}, 0, 2);
  engine.expect_cached({1, 2});
  engine.audit();
}

TEST(CacheFullBlocks, TheChainGoesThroughNullBlocks) {
  SPEC("a block after null blocks is found, whatever blocks hold the skipped prefixes", kCache);
  RecordedEngine engine(8, 2);
  engine.admit("A", {1, 2, 3, 4, 5, 6, 7, 8});
  engine.take("A", 2);
  engine.cache("A", {1, 0, 0, 2}, 0, 4);
  engine.compute("B", {1, 2, 3, 4, 5, 6});
  engine.expect_hit("A", {1, 4, 5, 2});
  engine.append("A", {9, 9});
  engine.take("A", 1);
  engine.cache("A", {0, 0, 0, 0, 6}, 4, 5);  // the range begins after a null block
  engine.expect_hit("A", {1, 4, 5, 2, 6});
}

TEST(CacheFullBlocks, AnEmptyRangeChangesNothing) {
  SPEC("nothing new to seal: nothing changes", kCache);
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2});
  engine.seal("A");
  engine.seal("A");
  engine.expect_cached({1});
}

// Ends of ranges that are within a table of two blocks if they are cut to 8, 16 or 32 bits.
constexpr std::size_t kBeyondTwoBlocks[] = {3,        0x100,         0x101,         0x1'0000,
                                            0x1'0001, 0x1'0000'0000, 0x1'0000'0001, SIZE_MAX};

TEST(CacheFullBlocks, AnEmptyRangeCanBeAnywhere) {
  SPEC("an empty range changes nothing, also beyond the table", kCache);
  RecordedEngine engine(5, 2);
  engine.admit("A", {1, 2, 3, 4});
  engine.take("A", 2);
  for (const std::size_t end : kBeyondTwoBlocks) engine.cache("A", {1, 2}, end, end);
  const auto call_with_ends_in_front = [&] {
    for (const auto& [first, end] : {std::pair<std::size_t, std::size_t>{1, 0},
                                     {2, 0},
                                     {2, 1},
                                     {0x1'0000'0001, 2},
                                     {SIZE_MAX, 1}})
      engine.cache("A", {1, 2}, first, end);
  };
  call_with_ends_in_front();
  engine.expect_cached({});
  engine.seal("A");
  call_with_ends_in_front();  // those blocks have hashes now
  engine.expect_cached({1, 2});
}

TEST(CacheFullBlocks, RefusesARangeBeyondTheTable) {
  SPEC("a range that ends beyond the table is refused, and nothing has changed", kCache,
       "or the table");
  RecordedEngine engine(5, 2);
  engine.admit("A", {1, 2, 3, 4, 5, 6});
  engine.take("A", 2);
  for (const std::size_t end : kBeyondTwoBlocks) {
    expect_refused(engine, "two blocks are in the table", [&] {
      engine.cache("A", {1, 2}, 0, end);
    });
  }
  engine.seal("A");
  engine.expect_cached({1, 2});
}

// A request with one token less, hashed, that then gets that token back.
Request with_last_block_unhashed(Request request) {
  const TokenId last = request.token_ids.back();
  request.token_ids.pop_back();
  update_block_hashes(request);
  request.token_ids.push_back(last);
  return request;
}

TEST(CacheFullBlocks, RefusesWhatIsNotFull) {
  SPEC("a range beyond the request's full blocks, or beyond those that it has hashed, is refused",
       kCache, "beyond its full blocks", "hashes", "a block with a hash");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3});
  const auto table = blocks_of(engine.pool(), engine.raw().table("A"));
  const Request& request = engine.raw().request("A");
  EXPECT_REFUSED(engine.pool().cache_full_blocks(request, table, 1, 2))
      << "the second block is not full";
  EXPECT_REFUSED(engine.pool().cache_full_blocks(request, table, 0, 1))
      << "block 1 has a hash already";
  const std::vector<KVCacheBlock*> others = blocks_of(engine.pool(), {3, 4});
  const Request not_hashed{.request_id = "B", .block_size = 2, .token_ids = {5, 6, 7, 8}};
  EXPECT_REFUSED(engine.pool().cache_full_blocks(not_hashed, others, 0, 2))
      << "two blocks of the request are full, and none is hashed";
  EXPECT_REFUSED(
      engine.pool().cache_full_blocks(with_last_block_unhashed(not_hashed), others, 0, 2))
      << "two blocks of the request are full, and only the first is hashed";
  engine.expect_cached({1});
}

TEST(CacheFullBlocks, RefusesABlockTwice) {
  SPEC("a block that is listed twice in the range refuses the whole call", kCache, "listed twice");
  RecordedEngine engine(6, 2);
  engine.admit("A", {1, 2, 3, 4, 5, 6});
  engine.take("A", 2);
  expect_refused(engine, "#1 is listed twice", [&] { engine.cache("A", {1, 2, 1}, 0, 3); });
  engine.expect_num_prefixes(0);
  engine.cache("A", {1, 2}, 0, 2);
  expect_refused(engine, "#2 has a hash", [&] { engine.cache("A", {3, 2, 3}, 0, 2); });
  engine.expect_cached({1, 2});
}

TEST(CacheFullBlocks, RefusesAStranger) {
  SPEC("a block of another pool in the range refuses the whole call", kCache, "of another pool");
  RecordedEngine engine(5, 2);
  BlockPool other(5, 2);
  engine.admit("A", {1, 2, 3, 4});
  engine.take("A", 1);
  const std::vector<KVCacheBlock*> table = {&engine.block(1), other.get_new_blocks(1)->front()};
  log_step("cache_full_blocks of the table #1, #1 of another pool");
  expect_refused(engine, "one block is of another pool",
                 [&] { engine.pool().cache_full_blocks(engine.raw().request("A"), table, 0, 2); });
  EXPECT_HOLDS(!table[1]->block_hash) << "the block of the other pool has a hash now";
  const std::vector<KVCacheBlock*> null_table = {&engine.block(1), &other.null_block()};
  log_step("cache_full_blocks of the table #1, #0 of another pool");
  expect_refused(engine, "one block is the null block of another pool", [&] {
    engine.pool().cache_full_blocks(engine.raw().request("A"), null_table, 0, 2);
  });
  engine.seal("A");
  engine.expect_cached({1});
}

TEST(CacheFullBlocks, RefusesAnotherBlockSize) {
  SPEC("a request whose blocks are larger or smaller than the pool's is refused", kCache,
       "of another block size");
  constexpr std::pair<std::size_t, std::size_t> kOfPoolAndRequest[] = {
      {2, 1}, {2, 3}, {2, 0x102}, {0x102, 2}, {2, 0x1'0002}, {0x1'0002, 2}};
  for (const auto& [of_pool, of_request] : kOfPoolAndRequest) {
    RecordedEngine engine(5, of_pool);
    engine.admit(request_of(Tokens(of_request, 7), of_request));
    engine.take("r", 1);
    expect_refused(engine, "the pool's blocks hold " + std::to_string(of_pool) + " tokens",
                   [&] { engine.seal("r"); });
    engine.compute("A", Tokens(of_pool, 7));
    engine.expect_cached({2});
  }
}

TEST(CacheFullBlocks, RefusesWithCachingOff) {
  SPEC("with caching off no block is sealed", kCache, "caching off");
  BlockPool pool(5, 2, /*enable_caching=*/false);
  Request request = request_of({1, 2}, 2);
  update_block_hashes(request);
  const auto table = *pool.get_new_blocks(1);
  log_step("with caching off: cache_full_blocks of the table #1");
  EXPECT_REFUSED(pool.cache_full_blocks(request, table, 0, 1)) << "caching is off";
  EXPECT_HOLDS(!table[0]->block_hash) << "the refused call has given #1 a hash";
  pool.cache_full_blocks(request, table, 1, 1);  // an empty range changes nothing
  EXPECT_SAME(pool.prefix_table().size(), 0u) << "size() of the prefix table, with caching off";
  BlockPool caching_pool(5, 2);
  const auto caching_table = *caching_pool.get_new_blocks(1);
  caching_pool.cache_full_blocks(request, caching_table, 0, 1);
  EXPECT_HOLDS(caching_table[0]->block_hash)
      << "in another pool caching is on, but its block has no hash";
}

void expect_cached_block(RecordedEngine& engine, PrefixId prefix, const std::string& expected) {
  log_step({"get_cached_block(prefix)", "get_cached_block({0})"}, prefix);
  const std::string yours =
      draw_block(engine.pool().get_cached_block(prefix), engine.pool().blocks());
  log_pool_return(engine.pool(), yours);
  expect_same("get_cached_block(" + std::to_string(prefix) + ") to give", expected, yours);
}

TEST(CachedBlock, IsFoundByItsPrefix) {
  SPEC("a sealed block is found by its prefix", kGet, "3.11 can be found from now on",
       "A block that holds this prefix", "nullptr if none does");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2, 3, 4});
  expect_cached_block(engine, engine.block(1).prefix_id, "#1");
  expect_cached_block(engine, ~engine.block(2).prefix_id, "nullptr");
  expect_cached_block(engine, engine.block(2).prefix_id + (PrefixId{1} << 32), "nullptr");
  expect_cached_block(engine, engine.block(2).prefix_id, "#2");
  log_object(TestObject::kSecond);
  RecordedEngine other(5, 2);
  other.compute("A", {5, 6, 7, 8});
  for (const BlockId id : {2, 1})
    expect_cached_block(other, other.block(id).prefix_id, "#" + std::to_string(id));
}

TEST(CachedBlock, TheOldestDuplicateIsFound) {
  SPEC("of several blocks with one prefix, the oldest answers", kGet, "the oldest if");
  RecordedEngine engine(5, 2);
  engine.compute("A", {1, 2});
  engine.compute("B", {1, 2});
  expect_cached_block(engine, engine.block(2).prefix_id, "#1");
  engine.free("A");
  engine.compute("C", {1, 2});
  expect_cached_block(engine, engine.block(3).prefix_id, "#1");
}

}  // namespace
}  // namespace kv::grader

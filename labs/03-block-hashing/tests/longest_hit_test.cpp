// What a new request finds, and what it must not find.

#include <numeric>

#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kFind = "3.12 find_longest_cache_hit";

TEST(LongestHit, IsTheCommonBeginning) {
  SPEC("blocks are found from the first on, up to the first that differs", kFind);
  RecordedEngine engine(8, 2);
  engine.compute("A", {1, 2, 3, 4, 5, 6});
  engine.admit("B", {1, 2, 3, 4, 9, 9, 5, 6});
  engine.expect_hit("B", {1, 2});
  engine.admit("C", {1, 9, 3, 4});
  engine.expect_hit("C", {});
  engine.expect_hit("A", {1, 2, 3});
}

TEST(LongestHit, GoesAsFarAsBlocksAreCached) {
  SPEC("of a long prompt every block is found", kFind);
  constexpr std::size_t kNumBlocks = 5000;
  RecordedEngine engine(kNumBlocks + 1, 1);
  std::vector<TokenId> tokens(kNumBlocks);
  std::iota(tokens.begin(), tokens.end(), 7);
  Ids all(kNumBlocks);
  std::iota(all.begin(), all.end(), 1);
  engine.raw().admit("A", tokens);
  engine.raw().take("A", kNumBlocks);
  engine.raw().seal("A");
  log_step("A has taken and sealed 5000 blocks of one token");
  EXPECT_EQ(engine.raw().hit("A").size(), kNumBlocks);
  EXPECT_TRUE(engine.raw().hit("A") == all) << "they are not found in the order of the prompt";
}

TEST(LongestHit, OtherAncestorsDoNotCount) {
  SPEC("the same tokens after another beginning are no hit: attention is causal", kFind);
  RecordedEngine engine(8, 4);
  engine.compute("A", {1, 2, 3, 4, 5, 6, 7, 8});
  engine.compute("B", {0, 2, 3, 4});
  engine.admit("C", {0, 2, 3, 4, 5, 6, 7, 8});
  engine.expect_hit("C", {3});
}

TEST(LongestHit, APartialBlockIsNone) {
  SPEC("only full blocks are found", kFind);
  RecordedEngine engine(8, 4);
  engine.compute("A", {1, 2, 3, 4, 5, 6});
  engine.admit("B", {1, 2, 3, 4, 5, 6});
  engine.expect_hit("B", {1});
  engine.admit("C", {1, 2, 3});
  engine.expect_hit("C", {});
}

TEST(LongestHit, StaysWithinMaxNumTokens) {
  SPEC("no block beyond max_num_tokens is found", kFind);
  RecordedEngine engine(8, 2);
  engine.compute("A", {1, 2, 3, 4});
  const Request& request = engine.raw().request("A");
  const auto hit = [&](std::size_t max) {
    return ids_of(engine.pool().find_longest_cache_hit(request, max));
  };
  EXPECT_EQ(hit(4), (Ids{1, 2}));
  EXPECT_EQ(hit(3), Ids{1}) << "3 tokens hold one full block of 2";
  EXPECT_EQ(hit(1), Ids{});
  EXPECT_EQ(hit(0), Ids{});
}

TEST(LongestHit, FreeBlocksAreFound) {
  SPEC("a cached block that is free is found, and touch revives it (I4)", kFind);
  RecordedEngine engine(6, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.free("A");
  engine.admit("B", {1, 2, 3, 4, 5, 6});
  engine.expect_hit("B", {1, 2});
  engine.share("B");
  EXPECT_EQ(free_ids(engine.pool()), (Ids{3, 4, 5}));
  engine.audit();
}

TEST(LongestHit, LooksOnly) {
  SPEC("looking changes neither ref_cnt nor queue", kFind);
  RecordedEngine engine(6, 2);
  engine.compute("A", {1, 2, 3, 4});
  engine.free("A");
  const std::string before = draw_pool(engine.pool());
  engine.expect_hit("A", {1, 2});
  EXPECT_EQ(draw_pool(engine.pool()), before);
}

Request salted(const std::string& name, const std::string& salt) {
  return {.request_id = name, .block_size = 2, .token_ids = {1, 2, 3, 4}, .cache_salt = salt};
}

TEST(LongestHit, TenantsDoNotShare) {
  SPEC("another salt, adapter or image is another prefix", kFind);
  RecordedEngine engine(12, 2);
  engine.admit(salted("A", "one"));
  engine.take("A", 2);
  engine.seal("A");
  engine.admit(salted("B", "two"));
  engine.expect_hit("B", {});
  engine.admit(salted("C", "one"));
  engine.expect_hit("C", {1, 2});
  Request poet = salted("D", "one");
  poet.lora_name = "poet";
  engine.admit(poet);
  engine.expect_hit("D", {});
  Request cat = salted("E", "one");
  cat.mm_features = {{.identifier = "cat", .offset = 2, .num_tokens = 1}};
  engine.admit(cat);
  engine.expect_hit("E", {1});
}

}  // namespace
}  // namespace kv::grader

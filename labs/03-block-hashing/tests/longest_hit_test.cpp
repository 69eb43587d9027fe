// What a new request finds, and what it must not find, by both forms.

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <numeric>

#include "03-block-hashing/tests/any_hash.h"

namespace kv::grader {
namespace {

struct Plain {
  static constexpr const char* kName = "Plain";
  static constexpr const char* kStep = "3.13 find_longest_cache_hit";
  static constexpr Finder kFind = &BlockPool::find_longest_cache_hit;
  static constexpr const char* claim(const char* words) { return words; }
  static constexpr bool kCanEvict = false;  // step 3.14 comes after this form
  static constexpr BlockId kManyBlocks = 12'000;
  static constexpr std::initializer_list<BlockId> kGaps = {};
};

struct Ahead {
  static constexpr const char* kName = "Ahead";
  static constexpr const char* kStep = "3.19 find_longest_cache_hit_ahead";
  static constexpr Finder kFind = &BlockPool::find_longest_cache_hit_ahead;
  static constexpr const char* claim(const char*) { return "Does what 3.13 does"; }
  static constexpr bool kCanEvict = true;
  // It numbers blocks in ways of its own, and asks for them in batches.
  static constexpr BlockId kManyBlocks = 70'000;
  static constexpr std::initializer_list<BlockId> kGaps = {kManyBlocks - 2, 400, 257, 200, 2};
};

template <class Form>
class LongestHit : public testing::Test {};

struct FormName {
  template <class Form>
  static std::string GetName(int) {
    return Form::kName;
  }
};

using Forms = testing::Types<Plain, Ahead>;
TYPED_TEST_SUITE(LongestHit, Forms, FormName);

TYPED_TEST(LongestHit, IsTheCommonBeginning) {
  SPEC("blocks are found from the first on, up to the first that differs", TypeParam::kStep,
       TypeParam::claim("first block on"));
  RecordedEngine engine(8, 2, TypeParam::kFind);
  engine.compute("A", {1, 2, 3, 4, 5, 6});
  engine.admit("B", {1, 2, 3, 4, 9, 9, 5, 6});
  engine.expect_hit("B", {1, 2});
  engine.admit("C", {1, 9, 3, 4});
  engine.expect_hit("C", {});
  engine.expect_hit("A", {1, 2, 3});
  Tokens long_prompt(2 * 0x1'0001, 7);
  std::ranges::copy(std::array{1, 2, 3, 4}, long_prompt.begin());
  engine.admit("D", long_prompt);
  engine.expect_hit("D", {1, 2});
  engine.admit("E", {7, 7, 8, 8, 9, 9});
  engine.cache("E", {4, 0, 5}, 0, 3);
  engine.expect_hit("E", {4});
  engine.raw().request("A").num_computed_tokens = 2;  // lab 04 uses it; it says nothing of hits
  engine.raw().request("A").skip_reading_prefix_cache = true;
  engine.expect_hit("A", {1, 2, 3});
}

TYPED_TEST(LongestHit, GoesAsFarAsBlocksAreCached) {
  SPEC("of a long prompt every block is found in front of the first that is not cached",
       TypeParam::kStep);
  allow_steps(50'000'000);
  constexpr BlockId kNumBlocks = TypeParam::kManyBlocks;
  RecordedEngine engine(kNumBlocks + 1, 1, TypeParam::kFind);
  std::vector<TokenId> tokens(kNumBlocks);
  std::iota(tokens.begin(), tokens.end(), 7);
  Ids hits(kNumBlocks);
  std::iota(hits.begin(), hits.end(), 1);
  engine.compute_long("A", tokens);
  engine.expect_hit("A", hits);
  for (const std::ptrdiff_t length : {127, 128, 129, 256, 257}) {
    const std::string name = "B" + std::to_string(length);
    engine.admit(name, Tokens(tokens.begin(), tokens.begin() + length));
    engine.expect_hit(name, Ids(hits.begin(), hits.begin() + length));
  }
  for (const BlockId evicted : TypeParam::kGaps) {
    engine.maybe_evict(evicted);
    hits.resize(static_cast<std::size_t>(evicted) - 1);
    engine.expect_hit("A", hits);
  }
}

TYPED_TEST(LongestHit, AnyNumberIsAHash) {
  SPEC("blocks with the least and the greatest hash are found, in any place", TypeParam::kStep);
  for (const std::vector<BlockHash>& hashes : any_hashes()) {
    RecordedEngine engine(4, 2, TypeParam::kFind);
    compute_with(engine, hashes);
    engine.expect_hit("A", {1, 2, 3});
    if (!TypeParam::kCanEvict) continue;
    engine.maybe_evict(3);
    engine.expect_hit("A", {1, 2});
  }
}

TYPED_TEST(LongestHit, OtherAncestorsDoNotCount) {
  SPEC("the same tokens after another beginning are no hit: attention is causal", TypeParam::kStep);
  RecordedEngine engine(8, 4, TypeParam::kFind);
  engine.compute("A", {1, 2, 3, 4, 5, 6, 7, 8});
  engine.compute("B", {0, 2, 3, 4});
  engine.admit("C", {0, 2, 3, 4, 5, 6, 7, 8});
  engine.expect_hit("C", {3});
}

TYPED_TEST(LongestHit, APartialBlockIsNone) {
  SPEC("only full blocks are found", TypeParam::kStep);
  RecordedEngine engine(8, 4, TypeParam::kFind);
  engine.compute("A", {1, 2, 3, 4, 5, 6});
  engine.admit("B", {1, 2, 3, 4, 5, 6});
  engine.expect_hit("B", {1});
  engine.admit("C", {1, 2, 3});
  engine.expect_hit("C", {});
}

TYPED_TEST(LongestHit, StaysWithinMaxNumTokens) {
  SPEC("no block beyond max_num_tokens is found", TypeParam::kStep,
       TypeParam::claim("within max_num_tokens"));
  RecordedEngine engine(8, 2, TypeParam::kFind);
  engine.compute("A", {1, 2, 3, 4});
  const Request& request = engine.raw().request("A");
  const auto expect_hit = [&](std::size_t max, const Ids& expected) {
    log_step({"find_longest_cache_hit(max_num_tokens)", "of A, within {0} tokens"}, max);
    const Ids hit = ids_of((engine.pool().*TypeParam::kFind)(request, max));
    log_pool_return(engine.pool(), hit);
    expect_same("the longest hit within " + std::to_string(max) + " tokens to be", expected, hit);
  };
  expect_hit(4, {1, 2});
  for (const std::size_t max : {std::size_t{1} << 32, std::size_t{2} << 32})
    expect_hit(max, {1, 2});
  expect_hit(SIZE_MAX, {1, 2});
  expect_hit(3, {1});  // one full block of 2
  expect_hit(1, {});
  expect_hit(0, {});
}

TYPED_TEST(LongestHit, FreeBlocksAreFound) {
  SPEC("a cached block that is free is found, and touch revives it (I4)", TypeParam::kStep);
  RecordedEngine engine(6, 2, TypeParam::kFind);
  engine.compute("A", {1, 2, 3, 4});
  engine.free("A");
  engine.admit("B", {1, 2, 3, 4, 5, 6});
  engine.expect_hit("B", {1, 2});
  engine.share("B");
  engine.expect_free({3, 4, 5});
  engine.audit();
}

TYPED_TEST(LongestHit, LooksOnly) {
  SPEC("looking changes neither ref_cnt nor queue", TypeParam::kStep,
       TypeParam::claim("Changes nothing"));
  RecordedEngine engine(6, 2, TypeParam::kFind);
  engine.compute("A", {1, 2, 3, 4});
  engine.free("A");
  const PoolState before = state_of(engine.pool());
  engine.expect_hit("A", {1, 2});
  EXPECT_HOLDS(state_of(engine.pool()) == before)
      << "looking changed the pool from\n  " << draw(before) << " to\n  "
      << draw_pool(engine.pool());
}

Request salted(const std::string& name, const std::string& salt) {
  return {.request_id = name, .block_size = 2, .token_ids = {1, 2, 3, 4}, .cache_salt = salt};
}

TYPED_TEST(LongestHit, TenantsDoNotShare) {
  SPEC("another salt, adapter or image is another prefix", TypeParam::kStep);
  RecordedEngine engine(12, 2, TypeParam::kFind);
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

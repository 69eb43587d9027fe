// Never a wrong hit: real pairs of different blocks with equal hashes.

#include <numeric>
#include <utility>

#include "03-block-hashing/tests/colliding_blocks.h"
#include "03-block-hashing/tests/recorded_engine.h"

namespace kv::grader {
namespace {

constexpr const char* kExact = "3.16 Exact hits";
constexpr std::size_t kBlockSize = 16;

Tokens joined(std::initializer_list<Tokens> blocks) {
  Tokens tokens;
  for (const Tokens& block : blocks) tokens.insert(tokens.end(), block.begin(), block.end());
  return tokens;
}

Tokens tokens_of(const std::array<TokenId, kBlockSize>& block) {
  return {block.begin(), block.end()};
}

// The pair is what it claims to be; otherwise the test would prove nothing.
void require_equal_hashes(RecordedEngine& engine, const std::string& a, const std::string& b) {
  const Request& one = engine.raw().request(a);
  const Request& other = engine.raw().request(b);
  if (one.token_ids == other.token_ids) fail_now("the pair of this test has the same tokens");
  ASSERT_SAME(one.block_hashes.back(), other.block_hashes.back())
      << "the hashes of " << a << " and " << b << ", which are equal by step 3.1";
}

// Identities go with the blocks that carry them: after a reset nothing of them is left.
void expect_forgotten(RecordedEngine& engine, const std::vector<std::string>& names) {
  for (const std::string& name : names) engine.free(name);
  engine.expect_reset(true);
  const PrefixTable& table = engine.pool().prefix_table();
  for (const std::string& name : names) {
    engine.expect_hit(name, {});
    const Request& request = engine.raw().request(name);
    EXPECT_HOLDS(!table.find(request.block_hashes[0], content_of(request, 0, std::nullopt)))
        << "nothing holds the prefix of " << name << "'s first block, but find gives an id";
  }
}

// A block is given to another text with an equal hash, and back.
void expect_reused_block(const CollidingBlocks& pair) {
  RecordedEngine engine(2, kBlockSize);
  engine.admit("A", tokens_of(pair.a));
  engine.admit("B", tokens_of(pair.b));
  for (const auto& [name, other] : {std::pair{"A", "B"}, {"B", "A"}, {"A", "B"}}) {
    engine.take(name, 1);
    engine.seal(name);
    engine.expect_hit(name, {1});
    engine.expect_hit(other, {});
    engine.free(name);
  }
}

TEST(ExactHits, ADirectCollision) {
  SPEC("a block with an equal hash and other tokens is no hit", kExact, "3.8 nullopt if it is not",
       "3.9 a new id");
  for (const CollidingBlocks& pair : kCollidingWithoutParent) {
    RecordedEngine engine(6, kBlockSize);
    engine.compute("A", tokens_of(pair.a));
    engine.admit("B", tokens_of(pair.b));
    require_equal_hashes(engine, "A", "B");
    engine.expect_hit("B", {});
    engine.compute("B", tokens_of(pair.b));
    engine.expect_hit("A", {1});
    engine.expect_hit("B", {2});
    expect_forgotten(engine, {"A", "B"});
    expect_reused_block(pair);
  }
}

TEST(ExactHits, ACollisionDeeperInTheChain) {
  SPEC("the same after a common beginning", kExact);
  for (const CollidingBlocks& pair : kCollidingAfterAnyParent) {
    RecordedEngine engine(8, kBlockSize);
    const Tokens beginning(kBlockSize, 7);
    engine.compute("A", joined({beginning, tokens_of(pair.a)}));
    engine.admit("B", joined({beginning, tokens_of(pair.b)}));
    require_equal_hashes(engine, "A", "B");
    engine.expect_hit("B", {1});
    engine.expect_hit("A", {1, 2});
    expect_forgotten(engine, {"A", "B"});
  }
}

// Two prefixes with one hash after one parent, however often each of the three is held: the parent
// by its users, of whom some are gone when the second prefix comes, the first prefix by its users.
void expect_two_prefixes(std::size_t parent_users,
                         std::size_t parent_users_gone,
                         std::size_t users) {
  const CollidingBlocks& pair = kCollidingAfterAnyParent[0];
  const ExtraKeys no_keys;
  const Tokens beginning(kBlockSize, 7), a = tokens_of(pair.a), b = tokens_of(pair.b);
  const BlockHash parent_hash = hash_block_tokens(std::nullopt, beginning, no_keys);
  const BlockHash hash = hash_block_tokens(parent_hash, a, no_keys);
  PrefixTable table(kBlockSize);
  PrefixId parent = 0, of_a = 0;
  for (std::size_t i = 0; i < parent_users; ++i)
    parent = table.intern(parent_hash, {std::nullopt, beginning, no_keys});
  for (std::size_t i = 0; i < users; ++i) of_a = table.intern(hash, {parent, a, no_keys});
  for (std::size_t i = 0; i < parent_users_gone; ++i) table.release(parent);
  const PrefixId of_b = table.intern(hash, {parent, b, no_keys});
  EXPECT_DIFFERENT(of_a, of_b) << "the prefixes of A and B after one parent";
  EXPECT_SAME(table.find(hash, {parent, a, no_keys}), std::optional(of_a)) << "the prefix of A";
  EXPECT_SAME(table.find(hash, {parent, b, no_keys}), std::optional(of_b)) << "the prefix of B";
}

TEST(ExactHits, ACollisionOfPrefixes) {
  SPEC(
      "two texts with an equal hash are two prefixes, however often they and their parent are held",
      kExact, "3.9 a new id");
  for (const std::size_t parent_users : {1u, 2u, 3u}) {
    for (std::size_t gone = 0; gone <= parent_users; ++gone) {
      for (const std::size_t users : {1u, 2u, 3u}) {
        log_step("intern of [7 7 ...] " + std::to_string(parent_users) + " times, of A after it " +
                 std::to_string(users) + " times, release of [7 7 ...] " + std::to_string(gone) +
                 " times, then intern of B, whose hash is A's");
        expect_two_prefixes(parent_users, gone, users);
      }
    }
  }
}

// One block of two requests, with equal tokens and hashes and other extra keys.
void expect_not_shared(const Request& cached, const Request& other, Finder find) {
  RecordedEngine engine(6, kBlockSize, find);
  engine.admit(cached);
  engine.take(cached.request_id, 1);
  engine.seal(cached.request_id);
  engine.admit(other);
  ASSERT_SAME(engine.raw().request(cached.request_id).block_hashes,
              engine.raw().request(other.request_id).block_hashes)
      << "the hashes of " << cached.request_id << " and " << other.request_id
      << ", which are equal by steps 3.1 and 3.2";
  engine.expect_hit(other.request_id, {});
  engine.expect_hit(cached.request_id, {1});
  expect_forgotten(engine, {cached.request_id, other.request_id});
}

// Two adapters whose names have one hash; and a salt and none, which have one hash, too.
void expect_keys_not_shared(Finder find) {
  const Request plain{
      .request_id = "plain", .block_size = kBlockSize, .token_ids = Tokens(kBlockSize, 7)};
  const auto adapted = [&](const std::string& name, const std::string& lora) {
    Request request = plain;
    request.request_id = name;
    request.lora_name = lora;
    return request;
  };
  const auto [one, other] = colliding_lora_names();
  EXPECT_DIFFERENT(one, other) << "the names of two adapters";
  expect_not_shared(adapted("A", one), adapted("B", other), find);
  Request salted = plain;
  salted.request_id = "salted";
  salted.cache_salt = salt_hashed_as_none();
  expect_not_shared(plain, salted, find);
  expect_not_shared(salted, plain, find);
}

TEST(ExactHits, CollidingExtraKeys) {
  SPEC("an adapter whose name has an equal hash is another adapter, and so is a salt", kExact);
  expect_keys_not_shared(&BlockPool::find_longest_cache_hit);
}

// [B C] is computed, then [A], then [A C]: C after A has the hash of C after B.
void expect_no_poisoned_chain(const CollidingBlocks& pair, Finder find) {
  RecordedEngine engine(9, kBlockSize, find);
  const Tokens c(kBlockSize, 3);
  engine.compute("B C", joined({tokens_of(pair.b), c}));
  engine.compute("A", tokens_of(pair.a));
  engine.admit("A C", joined({tokens_of(pair.a), c}));
  require_equal_hashes(engine, "B C", "A C");
  engine.expect_hit("A C", {3});
  engine.compute("A C", joined({tokens_of(pair.a), c}));
  engine.expect_hit("A C", {3, 5});
  engine.expect_hit("B C", {1, 2});
  expect_forgotten(engine, {"A", "A C", "B C"});
}

// Two chains of blocks, with some in common at the beginning. Their hashes are equal, so that a
// guess for the second chain is wrong at every depth after those.
void expect_long_chains(const CollidingBlocks& pair, std::size_t num_common) {
  constexpr std::size_t kNumBlocks = 400;
  RecordedEngine engine(2 * kNumBlocks + 1, kBlockSize, &BlockPool::find_longest_cache_hit_ahead);
  const auto chain_of = [&](const Tokens& block) {
    Tokens tokens(num_common * kBlockSize, 7);
    while (tokens.size() < kNumBlocks * kBlockSize)
      tokens.insert(tokens.end(), block.begin(), block.end());
    return tokens;
  };
  engine.compute("A", chain_of(tokens_of(pair.a)));
  engine.compute("B", chain_of(tokens_of(pair.b)));
  require_equal_hashes(engine, "A", "B");
  Ids hits_of_a(kNumBlocks), hits_of_b(kNumBlocks);
  std::iota(hits_of_a.begin(), hits_of_a.end(), 1);
  for (std::size_t i = 0; i < kNumBlocks; ++i)
    hits_of_b[i] = static_cast<BlockId>(i < num_common ? i + 1 : kNumBlocks + i + 1);
  engine.expect_hit("A", hits_of_a);
  engine.expect_hit("B", hits_of_b);
}

TEST(ExactHits, LookingAhead) {
  SPEC(
      "a guess with an equal hash and other tokens, parents or keys is no answer at any depth, and "
      "the right block is found",
      "3.19 find_longest_cache_hit_ahead", "Does what 3.13 does");
  for (const CollidingBlocks& pair : kCollidingAfterAnyParent) {
    RecordedEngine engine(8, kBlockSize, &BlockPool::find_longest_cache_hit_ahead);
    const Tokens beginning(kBlockSize, 7);
    engine.compute("A", joined({beginning, tokens_of(pair.a)}));
    engine.compute("B", joined({beginning, tokens_of(pair.b)}));
    require_equal_hashes(engine, "A", "B");
    engine.expect_hit("A", {1, 2});
    engine.expect_hit("B", {1, 4});
  }
  for (const std::size_t num_common : {1u, 2u, 100u, 200u})
    expect_long_chains(kCollidingAfterAnyParent[0], num_common);
  constexpr Finder kAhead = &BlockPool::find_longest_cache_hit_ahead;
  for (const CollidingBlocks& pair : kCollidingWithoutParent)
    expect_no_poisoned_chain(pair, kAhead);
  expect_keys_not_shared(kAhead);
}

TEST(ExactHits, APoisonedChain) {
  SPEC("[B C], then [A], then [A C]: the third is not served C as computed after B", kExact);
  for (const CollidingBlocks& pair : kCollidingWithoutParent)
    expect_no_poisoned_chain(pair, &BlockPool::find_longest_cache_hit);
}

TEST(ExactHits, APoisonedChainAfterABeginning) {
  SPEC("the same after a common beginning, and with the parent evicted", kExact);
  const CollidingBlocks& pair = kCollidingAfterAnyParent[0];
  RecordedEngine engine(16, kBlockSize);
  const Tokens p(kBlockSize, 5);
  const Tokens c(kBlockSize, 3);
  engine.compute("P B C", joined({p, tokens_of(pair.b), c}));
  engine.compute("P A", joined({p, tokens_of(pair.a)}));
  engine.admit("P A C", joined({p, tokens_of(pair.a), c}));
  require_equal_hashes(engine, "P B C", "P A C");
  engine.expect_hit("P A C", {1, 5});
  engine.maybe_evict(2);
  engine.expect_hit("P A C", {1, 5});
  engine.expect_hit("P B C", {1});
  expect_forgotten(engine, {"P A", "P A C", "P B C"});
}

}  // namespace
}  // namespace kv::grader

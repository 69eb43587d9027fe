// The second design: what is found, whether there is room, and who shares. Each bug of nano-vLLM
// that NANO_VLLM.md asks for has a test here.

#include "03-block-hashing/tests/colliding_blocks.h"
#include "04-kv-cache-manager/tests/block_manager_recorder.h"

namespace kv::grader {
namespace {

Tokens joined(std::initializer_list<Tokens> blocks) {
  Tokens tokens;
  for (const Tokens& block : blocks) tokens.insert(tokens.end(), block.begin(), block.end());
  return tokens;
}

TEST(BlockManagerFind, TheLongestCachedBeginning) {
  SPEC("blocks are found as far as the beginning is equal, in use or free", kBlockManager,
       "4.18 The longest cached beginning", "4.18 Changes nothing", "4.17 after their prefix");
  RecordedBlockManager manager(6, 2);
  manager.admit("A", {1, 2, 3, 4, 5, 6});
  manager.expect_may_append("A", true);
  manager.hash("A", 2);
  manager.hash("A", 4);
  manager.admit("B", {1, 2, 3, 4, 9, 9, 9});
  manager.admit("C", {3, 4, 9});
  manager.admit("D", {1, 2, 3, 4, 5, 6, 7});
  for (int i = 0; i < 2; ++i) {
    manager.expect_found("B", {0, 1});
    manager.expect_found("C", {});
    manager.expect_found("D", {0, 1, 2});
    manager.deallocate("A");
  }
}

TEST(BlockManagerFind, TheLastTokenIsLeft) {
  SPEC("a prompt that is cached as a whole leaves the model a token to compute", kBlockManager,
       "4.18 without its last token");
  RecordedBlockManager manager(6, 2);
  manager.compute_alone("A", {1, 2, 3, 4});
  manager.expect_found("A", {0});
  manager.append("A", {5});
  manager.expect_found("A", {0, 1});
  manager.admit("B", {});
  manager.expect_found("B", {});
  manager.admit("C", {1});
  manager.expect_found("C", {});
}

TEST(BlockManagerFind, TenantsDoNotShare) {
  SPEC("a salt keeps tenants apart", kBlockManager, "4.17 after their prefix");
  RecordedBlockManager manager(6, 2);
  manager.admit("A", {1, 2, 3}, "red");
  manager.expect_may_append("A", true);
  manager.hash("A", 3);
  manager.admit("B", {1, 2, 3}, "blue");
  manager.expect_found("B", {});
  manager.expect_found("A", {0});
}

TEST(BlockManagerFind, TheOlderOfTwoEqualBlocks) {
  SPEC("of two equal blocks the first is found, and if one is given away, the other stays",
       kBlockManager, "4.18 the block that was cached first", "4.17 leaves older blocks");
  for (const bool is_first_evicted : {false, true}) {
    RecordedBlockManager manager(4, 2);
    manager.admit("A", {1, 2, 3});
    manager.admit("B", {1, 2, 4});
    manager.expect_may_append("A", true);
    manager.expect_may_append("B", true);
    manager.hash("A", 3);
    manager.hash("B", 3);
    manager.expect_found("A", {0});
    manager.expect_found("B", {0});
    manager.deallocate(is_first_evicted ? "A" : "B");
    const BlockId evicted = is_first_evicted ? 0 : 2;
    manager.expect_block(evicted + 1);
    manager.expect_block(evicted);
    manager.expect_found("A", {is_first_evicted ? 2 : 0});
    manager.expect_num_prefixes(1);
    manager.deallocate(is_first_evicted ? "B" : "A");
    manager.expect_block(is_first_evicted ? 3 : 1);
    manager.expect_block(is_first_evicted ? 2 : 0);
    manager.expect_num_prefixes(0);
  }
}

// This is issue 163 of nano-vLLM.
TEST(BlockManagerFind, ABlockGivenAwayIsForgotten) {
  SPEC("a block that now holds the same tokens after another beginning is no hit", kBlockManager,
       "4.13 not found in it");
  RecordedBlockManager manager(2, 2);
  manager.compute_alone("A", {1, 1, 7, 7});
  manager.deallocate("A");
  manager.compute_alone("B", {2, 2, 7, 7});
  manager.expect_table("B", {1, 0});
  manager.deallocate("B");
  manager.admit("C", {1, 1, 7, 7, 3});
  manager.expect_found("C", {});
  manager.append("B", {3});
  manager.expect_found("B", {1, 0});
}

TEST(BlockManagerFind, ADirectCollision) {
  SPEC("a block with an equal hash and other tokens is no hit", kBlockManager,
       "4.18 The longest cached beginning");
  for (const CollidingBlocks& pair : kCollidingWithoutParent) {
    RecordedBlockManager manager(6, 16);
    const Tokens a(pair.a.begin(), pair.a.end()), b(pair.b.begin(), pair.b.end());
    manager.compute_alone("A", a);
    manager.admit("B", joined({b, {1}}));
    ASSERT_SAME(manager.sequence("A").request.block_hashes,
                manager.sequence("B").request.block_hashes)
        << "the hashes of A and B, which are equal by step 3.1";
    manager.expect_found("B", {});
    manager.compute_alone("B", joined({b, {1}}));
    manager.expect_found("B", {1});
  }
}

TEST(BlockManagerFind, APoisonedChain) {
  SPEC("[B C], then [A], then [A C]: the third is not served C as computed after B", kBlockManager,
       "4.18 The longest cached beginning");
  for (const CollidingBlocks& pair : kCollidingWithoutParent) {
    RecordedBlockManager manager(9, 16);
    const Tokens a(pair.a.begin(), pair.a.end()), b(pair.b.begin(), pair.b.end()), c(16, 3);
    manager.compute_alone("B C", joined({b, c}));
    manager.compute_alone("A", a);
    manager.admit("A C", joined({a, c, {1}}));
    ASSERT_SAME(manager.sequence("A C").request.block_hashes,
                manager.sequence("B C").request.block_hashes)
        << "the hashes of A C and B C, which are equal by step 3.1";
    manager.expect_found("A C", {2});
    manager.compute_alone("A C", joined({a, c, {1}}));
    manager.expect_found("A C", {2, 4});
  }
}

TEST(BlockManagerFind, RefusesBlocksWithoutAHash) {
  SPEC("a sequence whose full blocks are not hashed is refused", kBlockManager,
       "4.17 that is not hashed", "4.18 that is not hashed", "4.18 another block size");
  RecordedBlockManager manager(4, 2);
  manager.admit("A", {1, 2, 3});
  manager.expect_may_append("A", true);
  manager.sequence("A").request.token_ids.push_back(4);
  manager.expect_hash_refused("A", 2, "the second block has no hash");
  manager.admit("B", {1, 2, 3, 4, 5});
  manager.sequence("B").request.block_hashes.pop_back();
  EXPECT_REFUSED(manager.raw().get_cached_blocks(manager.sequence("B").request))
      << "the second block has no hash";
  Request other{.request_id = "C", .block_size = 4, .token_ids = {1, 2, 3}};
  EXPECT_REFUSED(manager.raw().get_cached_blocks(other)) << "blocks of 4 tokens";
  manager.admit("D", {1, 2, 3, 4, 5});
  manager.expect_found("D", {});
}

TEST(BlockManagerRoom, HitsInUseNeedNoBlock) {
  SPEC("a sequence that shares blocks in use needs room for the others only", kBlockManager,
       "4.19 enough blocks are free", "4.19 for all tokens", "4.19 in use need no room");
  RecordedBlockManager manager(4, 2);
  manager.compute_alone("A", {1, 2, 3, 4, 5});
  manager.admit("B", {1, 2, 3, 4, 6});
  manager.expect_can_allocate("B", 2);
  manager.append("B", {6, 6});
  manager.expect_can_allocate("B", std::nullopt);
  manager.admit("C", {});
  manager.expect_can_allocate("C", 0);
}

// One of two hits is in use, the other is free.
void expect_room_with_one_hit_in_use(BlockId used) {
  RecordedBlockManager manager(4, 2);
  manager.compute_alone("A", {1, 2, 3, 4});
  log_step({"touch(block)", "another sequence uses {0}, too"}, Block{used});
  ++manager.sequence("A").block_table[static_cast<std::size_t>(used)]->ref_cnt;
  manager.deallocate("A");
  manager.admit("B", {1, 2, 3, 4, 5, 6, 7, 8});
  manager.expect_can_allocate("B", 2);
  manager.append("B", {9});
  manager.expect_can_allocate("B", std::nullopt);
}

TEST(BlockManagerRoom, FreeHitsNeedTheirOwn) {
  SPEC("a hit that is free leaves the queue, so it counts as one that is needed", kBlockManager,
       "4.19 those that are free do", "4.19 Changes nothing");
  RecordedBlockManager manager(4, 2);
  manager.compute_alone("A", {1, 2, 3, 4});
  manager.deallocate("A");
  manager.admit("B", {1, 2, 3, 4, 5, 6, 7, 8});
  manager.expect_can_allocate("B", 2);
  manager.append("B", {9});
  manager.expect_can_allocate("B", std::nullopt);
  for (const BlockId used : {0, 1}) expect_room_with_one_hit_in_use(used);
}

TEST(BlockManagerAllocate, HitsThenNewBlocks) {
  SPEC("hits begin the table and count as computed; new blocks follow", kBlockManager,
       "4.20 first those of step 4.18", "4.20 with one user more", "4.20 then new ones",
       "4.20 count as computed");
  RecordedBlockManager manager(6, 2);
  manager.compute_alone("A", {1, 2, 3, 4, 5});
  manager.admit("B", {1, 2, 3, 4, 6, 7, 8});
  manager.expect_allocated("B", 2);
  manager.expect_table("B", {0, 1, 3, 4});
  manager.expect_computed("B", 4);
  manager.hash("B", 3);
  manager.expect_cached({0, 1, 3});
  manager.admit("C", {});
  manager.expect_allocated("C", 0);
  manager.expect_table("C", {});
  manager.audit();
}

// B uses the first block of A, so that only the second one is free when A is gone.
void expect_revived_after_one_in_use() {
  RecordedBlockManager manager(5, 2);
  manager.compute_alone("A", {1, 1, 2, 2});
  manager.admit("B", {1, 1, 9});
  manager.expect_allocated("B", 1);
  manager.deallocate("A");
  manager.admit("C", {1, 1, 2, 2, 5});
  manager.expect_allocated("C", 2);
  manager.expect_table("C", {0, 1, 3});
  manager.expect_free({4});
  manager.audit();
}

TEST(BlockManagerAllocate, AFreeHitIsRevived) {
  SPEC("a free hit leaves the queue from the middle, and stays what it was", kBlockManager,
       "4.20 first those of step 4.18", "4.20 with one user more");
  RecordedBlockManager manager(5, 2);
  manager.compute_alone("A", {1, 1, 2, 2});
  manager.deallocate("A");
  manager.compute_alone("Z", {7, 7});
  manager.deallocate("Z");
  manager.expect_free({3, 4, 1, 0, 2});
  manager.admit("B", {1, 1, 2, 2, 5});
  manager.expect_allocated("B", 2);
  manager.expect_table("B", {0, 1, 3});
  manager.expect_free({4, 2});
  manager.expect_cached({0, 1, 2});
  manager.hash("B", 1);
  manager.append("B", {5});
  manager.hash("B", 1);
  manager.admit("C", {1, 1, 2, 2, 5, 5, 6});
  manager.expect_found("C", {0, 1, 3});
  manager.admit("D", {5, 5, 6});
  manager.expect_found("D", {});
  manager.audit();
  expect_revived_after_one_in_use();
}

TEST(BlockManagerAllocate, ExhaustionChangesNothing) {
  SPEC("without room no block is taken, and no hit has a user more", kBlockManager,
       "4.20 Exhaustion: false", "4.20 and nothing has changed");
  RecordedBlockManager manager(5, 2);
  manager.compute_alone("A", {1, 2, 3, 4});
  manager.compute_alone("Z", {8, 8});
  manager.deallocate("Z");
  manager.admit("B", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  manager.expect_allocated("B", 2, false);
  manager.admit("C", {8, 8, 1, 1, 1, 1, 1});
  manager.compute_alone("Y", {9});
  manager.deallocate("Y");
  manager.expect_allocated("C", 1, false);
  manager.expect_table("C", {});
  manager.audit();
}

TEST(BlockManagerAllocate, RefusesAnOldAnswer) {
  SPEC("the number has to be what is found now, and the sequence must not have blocks",
       kBlockManager, "4.20 a sequence with blocks", "4.20 another number");
  RecordedBlockManager manager(5, 2);
  manager.compute_alone("A", {1, 2, 3, 4});
  manager.admit("B", {1, 2, 3, 4});
  manager.expect_allocation_refused("B", 2, "the last token is computed anyway");
  for (const std::size_t num :
       {std::size_t{0}, std::size_t{0x101}, std::size_t{0x1'0001}, (std::size_t{1} << 32) + 1})
    manager.expect_allocation_refused("B", num, "one block is found");
  manager.expect_allocated("B", 1);
  manager.expect_allocation_refused("B", 1, "B has blocks");
  manager.admit("C", Tokens(20, 9));
  manager.expect_allocation_refused("C", 1, "no block is found, and there is no room either");
}

}  // namespace
}  // namespace kv::grader

// Requests of more than 2^16 blocks, and blocks of more than 2^16 tokens. Nothing is recorded of
// them: a story of so many blocks is no help.

#include <numeric>

#include "04-kv-cache-manager/tests/block_manager_recorder.h"

namespace kv::grader {

namespace {

constexpr std::size_t kMany = 70'000;

Request request_of_length(const std::string& name, std::size_t num_tokens, std::size_t block_size) {
  Request request{.request_id = name, .block_size = block_size, .token_ids = Tokens(num_tokens)};
  std::iota(request.token_ids.begin(), request.token_ids.end(), 7);
  update_block_hashes(request);
  return request;
}

KVCacheManager manager_of(std::size_t num_gpu_blocks, std::size_t block_size) {
  log_start("", {"KVCacheManager(num_gpu_blocks, block_size)", "{0} blocks of {1} tokens"},
            num_gpu_blocks, block_size);
  return {num_gpu_blocks, block_size, 1'000'000, true};
}

void expect_num_new(KVCacheManager& manager,
                    Request& request,
                    std::size_t num_tokens,
                    std::size_t expected,
                    const AllocateOptions& options = {}) {
  log_step({"allocate_slots(request_id, num_new_tokens)", "allocate_slots({0}, {1})"},
           request.request_id, num_tokens);
  const auto allocated = manager.allocate_slots(request, num_tokens, options);
  ASSERT_SAME(allocated.has_value(), true) << "there are enough blocks for " << request.request_id;
  EXPECT_SAME(allocated->new_blocks.size(), expected) << "the number of new blocks";
  request.num_computed_tokens +=
      num_tokens + options.new_computed_blocks.size() * request.block_size;
}

TEST(LargeRequest, OfManyBlocks) {
  SPEC("a request can have more than 2^16 blocks: it is found, grows, and is refused as any other",
       "4.6 allocate_slots", "next num_new_tokens tokens", "fewer blocks are free");
  allow_steps(60'000'000);
  KVCacheManager manager = manager_of(2 * kMany, 1);
  Request first = request_of_length("A", kMany, 1);
  expect_num_new(manager, first, kMany, kMany);
  append_output_token_ids(first, Tokens{1});
  expect_num_new(manager, first, 1, 1);
  const BlockTable& table = manager.get_blocks("A");
  EXPECT_SAME(table.num_blocks(), kMany + 1) << "the blocks of A";
  EXPECT_SAME(table.slot(kMany), SlotId{kMany + 1}) << "the slot of the last position";
  Request second = request_of_length("B", kMany + 1, 1);
  const ComputedBlocks found = manager.get_computed_blocks(second);
  EXPECT_SAME(found.num_tokens, kMany) << "what is found of B";
  EXPECT_SAME(manager.get_num_blocks_to_allocate(second, 1, {found.blocks}), 1u)
      << "B needs a block for its last token";
  expect_num_new(manager, second, 1, 1, {found.blocks});
  EXPECT_SAME(manager.get_computed_blocks(request_of_length("D", kMany + 2, 1)).num_tokens,
              kMany + 1)
      << "A and B have cached all tokens but the last of D";
  const Request third = request_of_length("C", 0x2'0000, 1);
  EXPECT_HOLDS(!manager.allocate_slots(third, 0x2'0000))
      << "131,072 blocks are not free: allocate_slots should give nullopt";
}

TEST(LargeRequest, OfLargeBlocks) {
  SPEC("a block can have more than 2^16 tokens", "4.6 allocate_slots",
       "full of computed and new tokens");
  KVCacheManager manager = manager_of(6, kMany);
  Request first = request_of_length("A", 2 * kMany + 1, kMany);
  expect_num_new(manager, first, 2 * kMany + 1, 3);
  append_output_token_ids(first, Tokens{1});
  expect_num_new(manager, first, 1, 0);
  Request second = request_of_length("B", 2 * kMany + 1, kMany);
  const ComputedBlocks found = manager.get_computed_blocks(second);
  EXPECT_SAME(found.num_tokens, 2 * kMany) << "what is found of B";
  expect_num_new(manager, second, 1, 1, {found.blocks});
  EXPECT_SAME(manager.get_blocks("B").slot_mapping(kMany - 1, 2),
              (std::vector<SlotId>{2 * kMany - 1, 2 * kMany}))
      << "the slots on both sides of the first block's end";
}

TEST(LargeRequest, Forked) {
  SPEC("a fork of a request with more than 2^16 blocks, and as many for a lookahead",
       "4.11 unshare_blocks", "a copy of its computed slots", "not computed",
       "nullopt when fewer blocks are free");
  allow_steps(60'000'000);
  constexpr std::size_t kFull = 0x1'0000;
  KVCacheManager manager = manager_of(4 * kFull, 2);
  Request parent = request_of_length("A", 2 * kFull + 1, 2);
  expect_num_new(manager, parent, 2 * kFull + 1, 2 * kFull + 3,
                 {.num_lookahead_tokens = 2 * kFull + 4});
  log_step("fork(A, B), and #65,536 is evicted");
  Request child = manager.fork(parent, "B");
  manager.evict_blocks(std::vector<BlockId>{kFull});
  append_output_token_ids(child, Tokens{1, 2});
  log_step("allocate_slots(B, 2)");
  const auto allocated = manager.allocate_slots(child, 2);
  ASSERT_SAME(allocated.has_value(), true) << "there are enough blocks for the fork";
  EXPECT_SAME(allocated->new_blocks.size(), kFull + 3) << "blocks that are not full of A's tokens";
  EXPECT_HOLDS(manager.get_blocks("B").blocks().back() == allocated->new_blocks.back())
      << "the last new block should be the last one of the fork's table";
  ASSERT_SAME(allocated->copies.size(), 1u) << "one block is partial";
  EXPECT_SAME(allocated->copies[0].num_slots, 1u) << "one token is in it";
  EXPECT_HOLDS(!manager.block_pool().blocks()[kFull].block_hash)
      << "a block that was evicted is not cached again";
  Request other = manager.fork(parent, "C");
  append_output_token_ids(other, Tokens{3});
  EXPECT_HOLDS(!manager.allocate_slots(other, 1)) << "there are too few blocks for a second fork";
}

TEST(LargeRequest, ForkedWithTheSameDrafts) {
  SPEC("drafts after 2^16 blocks, computed before the fork, and cached by the parent",
       "4.11 unshare_blocks", "counts as cached");
  allow_steps(60'000'000);
  KVCacheManager manager = manager_of(2 * kMany, 1);
  Request parent = request_of_length("A", kMany, 1);
  expect_num_new(manager, parent, kMany + 4, kMany + 4);
  log_step("fork(A, B), and both get the same five tokens");
  Request child = manager.fork(parent, "B");
  for (Request* request : {&parent, &child}) {
    append_output_token_ids(*request, Tokens{1, 2, 3, 4, 5});
    expect_num_new(manager, *request, 1, 1);
  }
}

TEST(LargeRequest, ForkedInALargeBlock) {
  SPEC("2^16 slots of one block are to be copied", "4.11 unshare_blocks",
       "a copy of its computed slots");
  KVCacheManager manager = manager_of(4, kMany);
  Request parent = request_of_length("A", 0x1'0000, kMany);
  expect_num_new(manager, parent, 0x1'0000, 1);
  log_step("fork(A, B), and allocate_slots(B, 1)");
  Request child = manager.fork(parent, "B");
  append_output_token_ids(child, Tokens{1});
  const auto allocated = manager.allocate_slots(child, 1);
  ASSERT_SAME(allocated.has_value(), true) << "there are enough blocks for the fork";
  EXPECT_SAME(draw_copies(allocated->copies), draw_copies({{1, 2, 0x1'0000}}))
      << "the slots that are computed";
}

// The second design, with sequences of more than 2^16 blocks.
constexpr std::size_t kManyTokens = 70'000;
constexpr std::size_t kTooMany = 0x2'0000;  // the low 16 bits are 0

Sequence sequence_of_length(std::size_t num_tokens, TokenId first_token) {
  Request request{.request_id = "A", .block_size = 1, .token_ids = Tokens(num_tokens)};
  std::iota(request.token_ids.begin(), request.token_ids.end(), first_token);
  update_block_hashes(request);
  return {std::move(request)};
}

TEST(LargeSequence, Grows) {
  SPEC("a sequence can need more than 2^16 blocks, and gets them all or none", kBlockManager,
       "4.14 all tokens of the sequence that have no slot", "4.15 have no slot new blocks");
  allow_steps(60'000'000);
  BlockManager manager(kManyTokens, 1);
  Sequence too_long = sequence_of_length(kTooMany, 1);
  EXPECT_SAME(manager.can_append(too_long), false) << "131,072 tokens, 70,000 blocks: can_append";
  EXPECT_SAME(manager.may_append(too_long), false) << "131,072 tokens, 70,000 blocks: may_append";
  Sequence sequence = sequence_of_length(kManyTokens, 1);
  EXPECT_SAME(manager.can_append(sequence), true) << "70,000 tokens, 70,000 blocks: can_append";
  EXPECT_SAME(manager.may_append(sequence), true) << "70,000 tokens, 70,000 blocks: may_append";
  EXPECT_SAME(sequence.block_table.size(), kManyTokens) << "the blocks of the sequence";
}

TEST(LargeSequence, IsFound) {
  SPEC("more than 2^16 blocks of one sequence are cached and found", kBlockManager,
       "4.17 the blocks that they have filled", "4.18 The longest cached beginning",
       "4.18 without its last token");
  allow_steps(60'000'000);
  BlockManager manager(kManyTokens + 1, 1);
  Sequence sequence = sequence_of_length(kManyTokens, 1);
  ASSERT_SAME(manager.may_append(sequence), true) << "there are enough blocks: may_append";
  for (const std::size_t num_tokens : {std::size_t{1}, kManyTokens - 1}) {
    manager.hash_blocks(sequence, num_tokens);
    sequence.request.num_computed_tokens += num_tokens;
  }
  append_output_token_ids(sequence.request, Tokens{7});
  ASSERT_SAME(manager.may_append(sequence), true) << "there is a block more: may_append";
  manager.hash_blocks(sequence, 1);
  EXPECT_SAME(manager.get_cached_blocks(sequence.request).size(), kManyTokens)
      << "the blocks found of a sequence that is cached to its last token";
  append_output_token_ids(sequence.request, Tokens{8});
  EXPECT_SAME(manager.get_cached_blocks(sequence.request).size(), kManyTokens + 1)
      << "the blocks found";
  for (const std::size_t i : {std::size_t{0x101}, kManyTokens - 1}) {
    EXPECT_SAME(sequence.block_table[i]->block_hash,
                std::optional(sequence.request.block_hashes[i]))
        << "the hash of block " << i << " of the sequence";
  }
}

TEST(LargeSequence, IsShared) {
  SPEC("more than 2^16 blocks are shared by two sequences", kBlockManager,
       "4.16 A block without users goes", "4.19 enough blocks are free", "4.19 in use need no room",
       "4.20 then new ones");
  allow_steps(60'000'000);
  BlockManager manager(2 * kManyTokens, 1);
  Sequence first = sequence_of_length(kManyTokens, 1);
  ASSERT_SAME(manager.allocate(first, 0), true) << "there are enough blocks: allocate";
  manager.hash_blocks(first, kManyTokens);
  EXPECT_HOLDS(!manager.can_allocate(sequence_of_length(kTooMany, -1)))
      << "131,072 blocks are not free: can_allocate should give nullopt";
  Sequence second = sequence_of_length(kManyTokens + 1, 1);
  EXPECT_HOLDS(manager.can_allocate(second) == kManyTokens)
      << "70,000 blocks are found, and 1 is needed";
  ASSERT_SAME(manager.allocate(second, kManyTokens), true) << "there are enough blocks: allocate";
  EXPECT_SAME(second.block_table.size(), kManyTokens + 1) << "the blocks of the second sequence";
  EXPECT_SAME(second.request.num_computed_tokens, kManyTokens)
      << "computed: the tokens that it shares";
  manager.deallocate(first);
  EXPECT_SAME(manager.free_blocks().num_free_blocks(), kManyTokens - 1)
      << "free, with the second left";
  manager.deallocate(second);
  EXPECT_SAME(manager.free_blocks().num_free_blocks(), 2 * kManyTokens)
      << "free, with no sequence left";
  EXPECT_SAME(second.request.num_computed_tokens, 0u) << "computed, without blocks";
}

}  // namespace

}  // namespace kv::grader

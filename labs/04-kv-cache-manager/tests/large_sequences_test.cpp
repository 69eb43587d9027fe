// The second design with sequences of more than 2^16 blocks. Nothing is recorded of them, as in
// large_requests_test.cpp.

#include <numeric>

#include "04-kv-cache-manager/tests/block_manager_recorder.h"

namespace kv::grader {
namespace {

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
       "4.16 A block without users goes", "4.19 How many blocks step 4.18 finds",
       "4.19 in use need no room", "4.20 then new ones");
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

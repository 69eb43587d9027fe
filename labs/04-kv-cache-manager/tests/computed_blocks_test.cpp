// What is found of a request, and how many blocks it needs: the two questions before
// allocate_slots. No test here calls that; blocks are taken and cached by the pool.

#include <cstdint>
#include <numeric>

#include "04-kv-cache-manager/tests/allocate_options.h"

namespace kv::grader {
namespace {

TEST(ComputedBlocks, TheLongestCachedBeginning) {
  SPEC("the blocks of the longest cached beginning, and how many tokens are in them",
       "4.4 get_computed_blocks", "longest cached beginning");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4, 5, 6});
  manager.admit("A", {1, 2, 3, 4, 9, 9, 5, 6});
  manager.expect_found("A", {1, 2});
  manager.compute("A", 1);
  manager.expect_found("A", {1, 2});
  manager.admit("B", {9, 2, 3, 4});
  manager.expect_found("B", {});
  manager.admit("C", {1, 2, 3, 4, 5, 6, 7});
  manager.expect_found("C", {1, 2, 3});
  RecordedManager short_requests({8, 2, 3});
  short_requests.leave_behind({1, 2, 3, 4});
  short_requests.admit("D", {1, 2, 3, 4, 5});
  short_requests.expect_found("D", {1, 2});
}

TEST(ComputedBlocks, TheLastTokenIsLeft) {
  SPEC("a prompt that is cached as a whole still has a token to compute: its logits are needed",
       "4.4 get_computed_blocks", "without its last token");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4, 5, 6});
  manager.admit("A", {1, 2, 3, 4, 5, 6});
  manager.expect_found("A", {1, 2});
  for (const std::size_t num_computed : {1u, 4u, 6u}) {
    manager.request("A").num_computed_tokens = num_computed;
    manager.expect_found("A", {1, 2});
  }
  manager.admit("B", {1, 2, 3, 4, 5, 6, 7});
  manager.expect_found("B", {1, 2, 3});
  manager.admit("C", {1, 2, 3, 4, 5});
  manager.expect_found("C", {1, 2});
  manager.admit("D", {1, 2});
  manager.expect_found("D", {});
}

TEST(ComputedBlocks, BlocksOfOneToken) {
  SPEC("with one token a block, all blocks but the last can be found", "4.4 get_computed_blocks",
       "without its last token");
  RecordedManager manager({8, 1});
  manager.leave_behind({1, 2, 3});
  manager.admit("A", {1, 2, 3});
  manager.expect_found("A", {1, 2});
  manager.admit("B", {1, 2, 3, 4});
  manager.expect_found("B", {1, 2, 3});
}

TEST(ComputedBlocks, OfAlmostNothing) {
  SPEC("a request of one token, or of none, finds nothing", "4.4 get_computed_blocks",
       "without its last token");
  RecordedManager manager({8, 1});
  manager.leave_behind({1, 2, 3});
  manager.admit("A", {1});
  manager.expect_found("A", {});
  manager.admit("B", {});
  manager.expect_found("B", {});
}

TEST(ComputedBlocks, ChangeNothing) {
  SPEC("the question changes neither ref counts nor queue, however often it is asked",
       "4.4 get_computed_blocks", "Changes nothing");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4, 5, 6});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7});
  const ManagerState before = manager.state();
  manager.expect_found("A", {1, 2, 3});
  manager.expect_found("A", {1, 2, 3});
  manager.expect_unchanged(before);
  EXPECT_SAME(manager.request("A").num_computed_tokens, 0u) << "nothing is computed by asking";
}

TEST(ComputedBlocks, SomeRequestsDoNotRead) {
  SPEC("a request that skips reading finds nothing, and others find as before",
       "4.4 get_computed_blocks", "skip_reading_prefix_cache");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit({.request_id = "A",
                 .block_size = 2,
                 .token_ids = {1, 2, 3, 4, 5},
                 .skip_reading_prefix_cache = true});
  manager.expect_found("A", {});
  manager.compute("A", 4);
  manager.expect_found("A", {});
  manager.admit("B", {1, 2, 3, 4, 5});
  manager.expect_found("B", {1, 2});
}

TEST(ComputedBlocks, NoneWithCachingOff) {
  SPEC("with caching off nothing is found", "4.4 get_computed_blocks");
  RecordedManager manager({8, 2, 100, false});
  manager.admit("A", {1, 2, 3, 4});
  manager.expect_found("A", {});
}

TEST(ComputedBlocks, TenantsDoNotShare) {
  SPEC("another salt, adapter or image is another beginning", "4.4 get_computed_blocks");
  RecordedManager manager({12, 2});
  const auto salted = [](const char* name, const char* salt) {
    return Request{.request_id = name, .block_size = 2, .token_ids = {1, 2, 3}, .cache_salt = salt};
  };
  manager.leave_behind(salted("Z", "one"));
  manager.admit(salted("A", "two"));
  manager.expect_found("A", {});
  manager.admit(salted("B", "one"));
  manager.expect_found("B", {1});
  const auto with_image = [](const char* name, const char* image, const char* adapter) {
    return Request{.request_id = name,
                   .block_size = 2,
                   .token_ids = {0, 0, 3},
                   .lora_name = adapter,
                   .mm_features = {{image, 0, 2}}};
  };
  manager.leave_behind(with_image("Y", "cat", "poet"));
  manager.admit(with_image("C", "dog", "poet"));
  manager.expect_found("C", {});
  manager.admit(with_image("D", "cat", "critic"));
  manager.expect_found("D", {});
  manager.admit(with_image("E", "cat", "poet"));
  manager.expect_found("E", {3});
}

TEST(ComputedBlocks, RefusesAnotherBlockSize) {
  SPEC("a request of another block size is refused", "4.4 get_computed_blocks",
       "another block size");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("B", {1, 2, 3});
  manager.expect_found("B", {1});
  manager.admit({.request_id = "A", .block_size = 4, .token_ids = {1, 2, 3, 4, 5}});
  log_step("get_computed_blocks(A), whose blocks have 4 tokens");
  expect_refused(manager, "its blocks have 4 tokens, those of the manager 2",
                 [&] { manager.raw().get_computed_blocks(manager.request("A")); });
  manager.request("A").skip_reading_prefix_cache = true;
  expect_refused(manager, "the same, also if it does not read",
                 [&] { manager.raw().get_computed_blocks(manager.request("A")); });
  for (const Tokens& token_ids : {Tokens{}, {1}}) {
    manager.admit({.request_id = "C", .block_size = 4, .token_ids = token_ids});
    log_step("get_computed_blocks(C), whose blocks have 4 tokens");
    expect_refused(manager, "the same, also if no block is full",
                   [&] { manager.raw().get_computed_blocks(manager.request("C")); });
  }
  log_object(TestObject::kSecond);
  RecordedManager uncached({8, 2, 100, false});
  log_step("get_computed_blocks(A), whose blocks have 4 tokens, with caching off");
  expect_refused(uncached, "the same, also with caching off",
                 [&] { uncached.raw().get_computed_blocks(manager.request("A")); });
}

TEST(ComputedBlocks, OfAnyManager) {
  SPEC("a manager for requests of 0 tokens is refused, all others are not",
       "4.4 get_computed_blocks");
  EXPECT_REFUSED(KVCacheManager(4, 2, 0)) << "a request can have a token";
  EXPECT_REFUSED(KVCacheManager(4, 0, 9)) << "a block holds at least one token";
  EXPECT_REFUSED(KVCacheManager(0, 2, 9)) << "there is no null block";
  const Request request = request_of({1}, 2);
  for (const std::size_t max_model_len : {1ul, 0x100ul, 0x1'0000ul, 0x1'0000'0000ul, SIZE_MAX}) {
    EXPECT_SAME(KVCacheManager(4, 2, max_model_len).get_computed_blocks(request).num_tokens, 0u)
        << "nothing is cached";
  }
}

TEST(ComputedBlocks, RefusesBlocksWithoutAHash) {
  SPEC("a request with a full block that is not hashed is refused", "4.4 get_computed_blocks",
       "not hashed");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_found("A", {1, 2});
  manager.request("A").token_ids.push_back(6);
  log_step("get_computed_blocks(A), whose third block has become full and is not hashed");
  expect_refused(manager, "update_block_hashes was not called",
                 [&] { manager.raw().get_computed_blocks(manager.request("A")); });
}

TEST(BlocksToAllocate, OfANewRequest) {
  SPEC("a request needs a block for each block that its tokens begin",
       "4.5 get_num_blocks_to_allocate", "rounds up");
  RecordedManager manager({20, 4});
  manager.admit("A", {1, 2, 3, 4, 5});
  for (const auto& [num_tokens, num_blocks] :
       {std::pair{1u, 1u}, {4u, 1u}, {5u, 2u}, {8u, 2u}, {9u, 3u}}) {
    manager.expect_needed("A", num_tokens, num_blocks);
  }
  RecordedManager tokens({20, 1});
  tokens.admit("A", {1, 2, 3});
  tokens.expect_needed("A", 3, 3);
}

TEST(BlocksToAllocate, LookaheadCounts) {
  SPEC("lookahead tokens need slots too", "4.5 get_num_blocks_to_allocate",
       "hit, new and lookahead ones");
  RecordedManager manager({20, 4});
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_needed("A", 5, 2, {.num_lookahead_tokens = 3});
  manager.expect_needed("A", 5, 3, {.num_lookahead_tokens = 4});
}

TEST(BlocksToAllocate, FreeHitsCount) {
  SPEC("a hit needs no new block, but one that is free leaves the queue, so it counts",
       "4.5 get_num_blocks_to_allocate", "hits that are free", "- hits, 0)");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 5});
  manager.expect_needed("A", 1, 3, {.hits = {1, 2}});
  log_step("another request touches #1");
  manager.pool().touch(blocks_of(manager.pool(), {1}));
  manager.expect_needed("A", 1, 2, {.hits = {1, 2}});
  manager.expect_needed("A", 1, 1, {.hits = {1}});
  manager.expect_needed("A", 5, 3);
  log_step("it frees #1 and touches #2");
  manager.pool().free_blocks(blocks_of(manager.pool(), {1}));
  manager.pool().touch(blocks_of(manager.pool(), {2}));
  manager.expect_needed("A", 1, 2, {.hits = {1, 2}});
  manager.expect_needed("A", 1, 2, {.hits = {0, 1}});  // I8: the null block is never free
  constexpr std::size_t kMany = 300;
  RecordedManager large({kMany + 2, 1});
  large.leave_behind(Tokens(kMany, 7));
  large.admit("B", Tokens(kMany + 1, 7));
  Ids all(kMany);
  std::iota(all.begin(), all.end(), 1);
  large.expect_needed("B", 1, kMany + 1, {.hits = all});
}

TEST(BlocksToAllocate, AtMostTheModelsLength) {
  SPEC("tokens past max_model_len need no block", "4.5 get_num_blocks_to_allocate",
       "at most max_model_len");
  RecordedManager manager({20, 4, 10});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8});
  manager.expect_needed("A", 8, 2);
  manager.expect_needed("A", 8, 3, {.num_lookahead_tokens = 2});
  manager.expect_needed("A", 8, 3, {.num_lookahead_tokens = 9});
  manager.expect_needed("A", 8, 3, {.num_lookahead_tokens = SIZE_MAX});
  manager.expect_needed("A", SIZE_MAX, 3, {.num_lookahead_tokens = SIZE_MAX});
  RecordedManager shorter({20, 4, 4});
  shorter.leave_behind({1, 2, 3, 4, 5, 6, 7, 8});
  shorter.admit("B", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  shorter.expect_needed("B", 1, 2, {.hits = {1, 2}});
}

TEST(BlocksToAllocate, OfAsManyTokensAsThereAre) {
  SPEC("a sum that does not fit into 64 bits is not taken for a small one",
       "4.5 get_num_blocks_to_allocate", "at most max_model_len");
  RecordedManager manager({20, 4, SIZE_MAX});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8});
  constexpr std::size_t kAll = SIZE_MAX / 4 + 1;  // blocks
  manager.expect_needed("A", SIZE_MAX, kAll);
  manager.expect_needed("A", 2, kAll, {.num_lookahead_tokens = SIZE_MAX});
  manager.expect_needed("A", 0x1'0000'0000, 0x4000'0000);
}

TEST(BlocksToAllocate, OfTheFullSequence) {
  SPEC("with full_sequence_must_fit the larger of the two needs counts",
       "4.5 get_num_blocks_to_allocate", "full_sequence_must_fit", "up to that length",
       "all tokens of the request");
  RecordedManager manager({20, 4, 14});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  manager.expect_needed("A", 2, 1);
  manager.expect_needed("A", 2, 3, {.full_sequence_must_fit = true});
  manager.expect_needed("A", 9, 4, {.num_lookahead_tokens = 4, .full_sequence_must_fit = true});
  manager.expect_needed("A", 2, 3, {.num_lookahead_tokens = 4, .full_sequence_must_fit = true});
  manager.admit("B", Tokens(20, 7));
  manager.expect_needed("B", 2, 4, {.full_sequence_must_fit = true});
}

TEST(BlocksToAllocate, HitsOfTheFullSequence) {
  SPEC("hits count for the full sequence too, whatever else is asked",
       "4.5 get_num_blocks_to_allocate");
  RecordedManager manager({20, 4});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 5, 6, 7, 8, 9});
  manager.expect_needed("A", 1, 3, {.hits = {1}, .full_sequence_must_fit = true});
  expect_every_combination(false);
}

TEST(BlocksToAllocate, AskingChangesNothing) {
  SPEC("the question changes nothing", "4.5 get_num_blocks_to_allocate", "Changes nothing");
  RecordedManager manager({8, 2});
  manager.leave_behind({1, 2, 3, 4});
  manager.admit("A", {1, 2, 3, 4, 5});
  const ManagerState before = manager.state();
  manager.expect_needed("A", 1, 3, {.hits = {1, 2}});
  manager.expect_needed("A", 1, 3, {.hits = {1, 2}});
  manager.expect_unchanged(before);
}

}  // namespace
}  // namespace kv::grader

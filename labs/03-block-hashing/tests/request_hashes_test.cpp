// Hashes of requests, block after block.

#include <gtest/gtest.h>

#include "03-block-hashing/tests/engine_fixture.h"
#include "grader/harness/expectations.h"

namespace kv::grader {
namespace {

constexpr const char* kRequest = "3.3 update_block_hashes";

void hash(Request& request) {
  log_step({"update_block_hashes(num_tokens, block_size)",
            "update_block_hashes of {0} tokens, blocks of {1}"},
           request.token_ids.size(), request.block_size);
  update_block_hashes(request);
  log_result_as("number of hashes: {0}", request.block_hashes.size());
}

void append(Request& request, const Tokens& token_ids) {
  request.token_ids.insert(request.token_ids.end(), token_ids.begin(), token_ids.end());
  hash(request);
}

// Without them, a test cannot go on.
void expect_num_hashes(const Request& request, std::size_t expected) {
  if (request.block_hashes.size() == expected) return;
  fail_now("expected " + std::to_string(expected) + " hashes of " +
           std::to_string(request.token_ids.size()) + " tokens in blocks of " +
           std::to_string(request.block_size) + ", yours are " +
           std::to_string(request.block_hashes.size()));
}

TEST(RequestHashes, OnlyFullBlocksAreHashed) {
  SPEC("a partial block has no hash yet (I3)", kRequest, "become full since");
  Request request = request_of({1, 2, 3, 4, 5}, 2);
  hash(request);
  expect_num_hashes(request, 2);
  EXPECT_SAME(request.block_extra_keys.size(), 2u) << "one list of extra keys for each full block";
  append(request, Tokens{6});
  expect_num_hashes(request, 3);
  request.num_computed_tokens = 2;  // as in the middle of its prompt
  append(request, Tokens{7, 8});
  expect_num_hashes(request, 4);
}

TEST(RequestHashes, EachNamesItsParent) {
  SPEC("each hash is computed with the hash before it as parent", kRequest);
  Request request = request_of({1, 2}, 2);
  request.lora_name = "poet";
  hash(request);
  append(request, Tokens{3, 4, 5, 6});
  expect_num_hashes(request, 3);
  std::optional<BlockHash> parent;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto expected = hash_block_tokens(parent, request.block_token_ids(i), {"lora=poet"});
    EXPECT_SAME(request.block_hashes[i], expected) << "of block " << i;
    parent = expected;
  }
}

// An image in four blocks has another offset in each of them.
void expect_offsets_of_an_image() {
  Request request = request_of(Tokens(8, 9), 2);
  request.mm_features = {{.identifier = "cat", .offset = 1, .num_tokens = 6}};
  hash(request);
  const std::vector<ExtraKeys> expected = {
      {"image=cat@1"}, {"image=cat@-1"}, {"image=cat@-3"}, {"image=cat@-5"}};
  expect_same("the extra keys of the blocks to be", expected, request.block_extra_keys);
}

TEST(RequestHashes, EachTakesTheKeysOfItsBlock) {
  SPEC("each hash is computed with the extra keys of its own block", kRequest);
  Request request = request_of({1, 2, 3, 4}, 2);
  request.cache_salt = "tenant";
  hash(request);
  expect_num_hashes(request, 2);
  const BlockHash first = hash_block_tokens(std::nullopt, Tokens{1, 2}, {"salt=tenant"});
  EXPECT_SAME(request.block_hashes[0], first) << "the hash of block 0, whose salt is a key";
  EXPECT_SAME(request.block_hashes[1], hash_block_tokens(first, Tokens{3, 4}, {}))
      << "the salt is a key of the first block only";
  expect_offsets_of_an_image();
}

TEST(RequestHashes, EachBlockIsHashedOnce) {
  SPEC("a block that has its hash is not hashed again, even if a token in it is replaced", kRequest,
       "hashed once", "keeps its hash");
  Request request = request_of({1, 2, 3, 4}, 2);
  request.lora_name = "poet";
  hash(request);
  expect_num_hashes(request, 2);
  const BlockHash first = request.block_hashes[0];
  request.token_ids[0] = 99;  // this block has its hash already
  Request other = request_of({9, 9}, 2);
  hash(other);
  append(request, Tokens{5, 6});
  expect_num_hashes(request, 3);
  EXPECT_SAME(request.block_hashes[0], first) << "block 0 was hashed a second time";
  EXPECT_SAME(request.block_hashes[2],
              hash_block_tokens(request.block_hashes[1], Tokens{5, 6}, {"lora=poet"}))
      << "the hash of block 2, after block 1 and for the adapter poet";
}

TEST(RequestHashes, OfManyBlocks) {
  SPEC("a block after 2^16 others is hashed as one after a few", kRequest);
  constexpr std::size_t kNumBlocks = 0x1'0001;
  Request request = request_of(Tokens(kNumBlocks, 7), 1);
  request.cache_salt = "tenant";
  hash(request);
  expect_num_hashes(request, kNumBlocks);
  append(request, Tokens{8});
  expect_num_hashes(request, kNumBlocks + 1);
  for (const std::size_t i : {std::size_t{0x100}, kNumBlocks - 1, kNumBlocks}) {
    EXPECT_SAME(request.block_hashes[i],
                hash_block_tokens(request.block_hashes[i - 1], request.block_token_ids(i), {}))
        << "of block " << i;
  }
}

}  // namespace
}  // namespace kv::grader

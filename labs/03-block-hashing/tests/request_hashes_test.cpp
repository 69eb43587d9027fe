// Hashes of requests, block after block.

#include <gtest/gtest.h>

#include "03-block-hashing/tests/engine_fixture.h"
#include "grader/harness/test_log.h"

namespace kv::grader {
namespace {

constexpr const char* kRequest = "3.3 update_block_hashes";

TEST(RequestHashes, OnlyFullBlocksAreHashed) {
  SPEC("a partial block has no hash yet (I3)", kRequest, "become full since");
  Request request = request_of({1, 2, 3, 4, 5}, 2);
  update_block_hashes(request);
  ASSERT_EQ(request.block_hashes.size(), 2u);
  EXPECT_EQ(request.block_extra_keys.size(), 2u);
  append_output_token_ids(request, Tokens{6});
  EXPECT_EQ(request.block_hashes.size(), 3u);
}

TEST(RequestHashes, EachNamesItsParent) {
  SPEC("each hash is computed with the hash before it as parent", kRequest);
  Request request = request_of({1, 2, 3, 4, 5, 6}, 2);
  request.lora_name = "poet";
  update_block_hashes(request);
  ASSERT_EQ(request.block_hashes.size(), 3u);
  std::optional<BlockHash> parent;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto expected = hash_block_tokens(parent, request.block_token_ids(i), {"lora=poet"});
    EXPECT_EQ(request.block_hashes[i], expected) << "of block " << i;
    parent = expected;
  }
}

TEST(RequestHashes, EachTakesTheKeysOfItsBlock) {
  SPEC("each hash is computed with the extra keys of its own block", kRequest);
  Request request = request_of({1, 2, 3, 4}, 2);
  request.cache_salt = "tenant";
  update_block_hashes(request);
  ASSERT_EQ(request.block_hashes.size(), 2u);
  const BlockHash first = hash_block_tokens(std::nullopt, Tokens{1, 2}, {"salt=tenant"});
  EXPECT_EQ(request.block_hashes[0], first);
  EXPECT_EQ(request.block_hashes[1], hash_block_tokens(first, Tokens{3, 4}, {}))
      << "the salt is a key of the first block only";
}

TEST(RequestHashes, EachBlockIsHashedOnce) {
  SPEC("a block that has its hash is not hashed again", kRequest, "hashed once");
  Request request = request_of({1, 2, 3, 4}, 2);
  update_block_hashes(request);
  ASSERT_EQ(request.block_hashes.size(), 2u);
  const BlockHash first = request.block_hashes[0];
  request.token_ids[0] = 99;  // this block has its hash already
  Request other = request_of({9, 9}, 2);
  update_block_hashes(other);
  append_output_token_ids(request, Tokens{5, 6});
  ASSERT_EQ(request.block_hashes.size(), 3u);
  EXPECT_EQ(request.block_hashes[0], first) << "block 0 was hashed a second time";
  EXPECT_EQ(request.block_hashes[2], hash_block_tokens(request.block_hashes[1], Tokens{5, 6}, {}));
}

TEST(RequestHashes, OfManyBlocks) {
  SPEC("a block behind 2^16 others is hashed as one behind a few", kRequest);
  constexpr std::size_t kNumBlocks = 0x1'0001;
  Request request = request_of(Tokens(kNumBlocks, 7), 1);
  request.cache_salt = "tenant";
  update_block_hashes(request);
  ASSERT_EQ(request.block_hashes.size(), kNumBlocks);
  append_output_token_ids(request, Tokens{8});
  ASSERT_EQ(request.block_hashes.size(), kNumBlocks + 1);
  for (const std::size_t i : {std::size_t{0x100}, kNumBlocks - 1, kNumBlocks}) {
    EXPECT_EQ(request.block_hashes[i],
              hash_block_tokens(request.block_hashes[i - 1], request.block_token_ids(i), {}))
        << "of block " << i;
  }
}

}  // namespace
}  // namespace kv::grader

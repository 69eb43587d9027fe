// Hashes of requests, block after block.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

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
  request.skip_reading_prefix_cache = true;  // its own blocks are cached
  append(request, Tokens{9, 10});
  expect_num_hashes(request, 5);
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

// Five blocks of 4 tokens, of which the first four hold placeholders of three images.
struct User {
  std::array<std::string, 3> images;
  Request request;

  explicit User(const std::array<std::string, 3>& its_images)
      : images(its_images), request(request_of({}, 4)) {
    request.lora_name = "poet";
    request.cache_salt = "tenant";
    request.mm_features = {{.identifier = images[0], .offset = 1, .num_tokens = 2},
                           {.identifier = images[1], .offset = 3, .num_tokens = 7},
                           {.identifier = images[2], .offset = 10, .num_tokens = 3}};
  }

  void expect_hashed() const {
    const auto key = [&](std::size_t image, const char* offset) {
      return "image=" + images[image] + "@" + offset;
    };
    const std::vector<ExtraKeys> expected = {{"lora=poet", key(0, "1"), key(1, "3"), "salt=tenant"},
                                             {"lora=poet", key(1, "-1")},
                                             {"lora=poet", key(1, "-5"), key(2, "2")},
                                             {"lora=poet", key(2, "-2")},
                                             {"lora=poet"}};
    expect_num_hashes(request, expected.size());
    std::optional<BlockHash> parent;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      expect_same("the extra keys of block " + std::to_string(i) + " to be", expected[i],
                  request.block_extra_keys.at(i));
      parent = hash_block_tokens(parent, request.block_token_ids(i), expected[i]);
      EXPECT_SAME(request.block_hashes[i], *parent) << "of block " << i;
    }
  }
};

// Two requests with one id and the same tokens get their tokens in turns, num_tokens at a time.
void expect_images_in_several_calls(std::size_t num_tokens) {
  User first({"cat", "dog", "owl"}), second({"sea", "sky", "sun"});
  for (std::size_t left = 20; left > 0; left -= std::min(left, num_tokens)) {
    for (User* user : {&first, &second})
      append(user->request, Tokens(std::min(left, num_tokens), 9));
  }
  first.expect_hashed();
  second.expect_hashed();
}

TEST(RequestHashes, EachTakesTheKeysOfItsBlock) {
  SPEC("each hash is computed with the extra keys of its own block, in one call or in several",
       kRequest, "become full since");
  Request request = request_of({1, 2, 3, 4}, 2);
  request.cache_salt = "tenant";
  hash(request);
  expect_num_hashes(request, 2);
  const BlockHash first = hash_block_tokens(std::nullopt, Tokens{1, 2}, {"salt=tenant"});
  EXPECT_SAME(request.block_hashes[0], first) << "the hash of block 0, whose salt is a key";
  EXPECT_SAME(request.block_hashes[1], hash_block_tokens(first, Tokens{3, 4}, {}))
      << "the salt is a key of the first block only";
  expect_offsets_of_an_image();
  for (const std::size_t num_tokens : {20u, 1u, 3u, 4u, 9u})
    expect_images_in_several_calls(num_tokens);
}

TEST(RequestHashes, EachBlockIsHashedOnce) {
  SPEC("a block that has its hash is not hashed again, even if a token in it is replaced", kRequest,
       "hashed once", "keeps its hash");
  Request request = request_of({1, 2, 3, 4}, 2);
  request.lora_name = "poet";
  hash(request);
  expect_num_hashes(request, 2);
  const BlockHash first = request.block_hashes[0], second = request.block_hashes[1];
  request.token_ids[0] = 99;  // both blocks have their hash already
  request.token_ids[3] = 98;
  Request other = request_of({9, 9}, 2);
  hash(other);
  append(request, Tokens{5, 6});
  expect_num_hashes(request, 3);
  EXPECT_SAME(request.block_hashes[0], first) << "block 0 was hashed a second time";
  EXPECT_SAME(request.block_hashes[1], second) << "block 1 was hashed a second time";
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

// Hashes of blocks, and the extra keys in them.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "03-block-hashing/request.h"
#include "03-block-hashing/tests/colliding_blocks.h"
#include "03-block-hashing/tests/engine_fixture.h"
#include "grader/harness/expectations.h"
#include "reference/golden/block_hashes.h"

namespace kv::grader {

namespace {

constexpr const char* kHash = "3.1 hash_block_tokens";
constexpr const char* kKeys = "3.2 generate_block_hash_extra_keys";

// The keys of the block that has the tokens [start_token, end_token) of a request.
void expect_keys(const Request& request,
                 std::size_t start_token,
                 std::size_t end_token,
                 const ExtraKeys& expected) {
  const std::string words = "a request of " + std::to_string(request.token_ids.size()) + " tokens" +
                            describe_extras(request);
  log_start("", {"", words});
  log_step(
      {"generate_block_hash_extra_keys(start_token, end_token)", "extra keys of tokens [{0}, {1})"},
      start_token, end_token);
  const ExtraKeys keys = generate_block_hash_extra_keys(request, start_token, end_token);
  log_result(draw(keys));
  expect_same("extra keys", expected, keys);
}

TEST(BlockHash, TheParentIsPartOfIt) {
  SPEC("the same tokens after another parent, or after none, are another block", kHash,
       "parent's hash 8 bytes");
  const Tokens tokens = {5, 6, 7, 8};
  const BlockHash alone = hash_block_tokens(std::nullopt, tokens, {});
  const BlockHash after_1 = hash_block_tokens(1, tokens, {});
  EXPECT_DIFFERENT(alone, after_1) << "without a parent, and after a parent";
  EXPECT_DIFFERENT(after_1, hash_block_tokens(2, tokens, {}))
      << "the hashes of one block after two parents";
  EXPECT_DIFFERENT(alone, hash_block_tokens(0, tokens, {}))
      << "a parent whose hash is 0 is a parent";
  EXPECT_SAME(after_1, hash_block_tokens(1, tokens, {})) << "the same input has the same hash";
}

TEST(BlockHash, ExtraKeysArePartOfIt) {
  SPEC("a block whose extra keys differ in a byte, in their number or in their order is another",
       kHash, "each extra key 8 bytes");
  const std::vector<NamedKeys> lists = different_keys();
  std::map<BlockHash, std::string> names;
  for (const auto& [name, keys] : lists) {
    const BlockHash hash = hash_block_tokens(1, Tokens{5, 6, 7, 8}, keys);
    const auto [place, is_new] = names.insert({hash, name});
    if (is_new) continue;
    ADD_FAILURE() << "expected two hashes, both are " << hash << ": with " << place->second
                  << ", and with " << name;
    return;
  }
}

TEST(BlockHash, EveryTokenIsPartOfIt) {
  SPEC("a block in which one token differs is another block, however long it is", kHash,
       "each token 8 bytes");
  for (const std::size_t num_tokens : {300u, 70'000u}) {
    Tokens tokens(num_tokens, 5);
    const BlockHash hash = hash_block_tokens(1, tokens, {});
    for (const std::size_t i : {std::size_t{0}, num_tokens / 2, num_tokens - 1}) {
      tokens[i] = 6;
      EXPECT_DIFFERENT(hash_block_tokens(1, tokens, {}), hash)
          << "token " << i << " of " << num_tokens;
      tokens[i] = 5;
    }
  }
}

TEST(BlockHash, RefusesAnEmptyBlock) {
  SPEC("an empty block is refused", kHash, "an empty block is refused");
  hash_block_tokens(std::nullopt, Tokens{1}, {});
  EXPECT_REFUSED(hash_block_tokens(std::nullopt, Tokens{}, {})) << "the block has no token";
  EXPECT_REFUSED(hash_block_tokens(1, Tokens{}, {"salt=a"}))
      << "it has a parent and a key, and no token";
}

TEST(ExtraKeys, NoneForAPlainRequest) {
  SPEC("a request without adapter, image and salt has no extra keys", kKeys);
  const Request request = request_of({1, 2, 3, 4}, 2);
  expect_keys(request, 0, 2, {});
  expect_keys(request, 2, 4, {});
}

TEST(ExtraKeys, AnAdapterShapesEveryBlock) {
  SPEC("the adapter's name is a key of every block", kKeys, "for every block of a request");
  Request request = request_of({1, 2, 3, 4}, 2);
  request.lora_name = "poet";
  expect_keys(request, 0, 2, {"lora=poet"});
  expect_keys(request, 2, 4, {"lora=poet"});
}

TEST(ExtraKeys, TheSaltShapesTheFirstBlock) {
  SPEC("the salt is a key of the first block only; later ones have it as an ancestor", kKeys,
       "for the first block only");
  Request request = request_of({1, 2, 3, 4}, 2);
  request.cache_salt = "tenant";
  expect_keys(request, 0, 2, {"salt=tenant"});
  expect_keys(request, 2, 4, {});
}

TEST(ExtraKeys, AnImageShapesTheBlocksItTouches) {
  SPEC("an image is a key of the blocks that hold one of its placeholders, with its offset", kKeys,
       "placeholder in the block", "minus start_token");
  Request request = request_of(Tokens(16, 9), 4);
  request.mm_features = {{.identifier = "cat", .offset = 3, .num_tokens = 2},
                         {.identifier = "owl", .offset = 6, .num_tokens = 1},
                         {.identifier = "dog", .offset = 8, .num_tokens = 4}};
  expect_keys(request, 0, 4, {"image=cat@3"});
  expect_keys(request, 4, 8, {"image=cat@-1", "image=owl@2"});
  expect_keys(request, 8, 12, {"image=dog@0"});
  expect_keys(request, 12, 16, {});
  expect_keys(request, 3, 4, {"image=cat@0"});
  expect_keys(request, 4, 5, {"image=cat@-1"});
  expect_keys(request, 5, 6, {});
  request.mm_features = {{.identifier = "cat", .offset = 4, .num_tokens = 1},
                         {.identifier = "cat", .offset = 6, .num_tokens = 1}};
  expect_keys(request, 4, 8, {"image=cat@0", "image=cat@2"});
}

TEST(ExtraKeys, ALongFeatureHidesNoOther) {
  SPEC(
      "a feature that fills the block and began 2^33 tokens before is a key, and so is another one",
      kKeys, "for each feature with", "negative if it began before");
  constexpr std::size_t kFar = 0x2'0000'0000;
  Request request = request_of(Tokens(8, 9), 4);
  request.mm_features = {{.identifier = "film", .offset = 0, .num_tokens = kFar + 8},
                         {.identifier = "owl", .offset = kFar + 2, .num_tokens = 1}};
  expect_keys(request, kFar, kFar + 4, {"image=film@-8589934592", "image=owl@2"});
  expect_keys(request, 0, 4, {"image=film@0"});
  request.mm_features = {{.identifier = "film", .offset = 0, .num_tokens = 16},
                         {.identifier = "sound", .offset = 2, .num_tokens = 1}};
  expect_keys(request, 0, 4, {"image=film@0", "image=sound@2"});
  expect_keys(request, 8, 12, {"image=film@-8"});
}

TEST(ExtraKeys, AnImageWithoutPlaceholdersShapesNone) {
  SPEC("a feature with 0 placeholder tokens is a key of no block", kKeys);
  Request request = request_of(Tokens(8, 9), 4);
  for (const std::size_t offset : {0u, 2u, 4u}) {
    request.mm_features = {{.identifier = "cat", .offset = offset, .num_tokens = 0}};
    expect_keys(request, 0, 4, {});
    expect_keys(request, 4, 8, {});
  }
}

TEST(ExtraKeys, AnImageCanBeOfAnyLength) {
  SPEC("the offset of an image is exact, however far from the block the image begins", kKeys);
  Request request = request_of({}, 4);
  for (const std::size_t start : {0x100ul, 0x1'0000ul, 0x1'0000'0000ul}) {
    request.mm_features = {{.identifier = "cat", .offset = 0, .num_tokens = start + 1},
                           {.identifier = "dog", .offset = 0, .num_tokens = start},
                           {.identifier = "owl", .offset = start + 2, .num_tokens = 1}};
    expect_keys(request, 0, 4, {"image=cat@0", "image=dog@0"});
    expect_keys(request, start, start + 4, {"image=cat@-" + std::to_string(start), "image=owl@2"});
  }
}

// Each name is in its key as it is, whatever its bytes are and however many there are.
void expect_whole_names() {
  for (const std::string& name :
       {std::string("a\0b", 3), std::string(), std::string(70'000, 'a')}) {
    Request request = request_of({1, 2}, 2);
    request.lora_name = request.cache_salt = name;
    request.mm_features = {{.identifier = name, .offset = 0, .num_tokens = 1}};
    const ExtraKeys keys = generate_block_hash_extra_keys(request, 0, 2);
    const ExtraKeys image = {"image=" + name + "@0"};
    const ExtraKeys all = {"lora=" + name, image.front(), "salt=" + name};
    EXPECT_HOLDS(keys == (name.empty() ? image : all))
        << "a name of " << name.size() << " bytes has to be in its key as it is, zero bytes too";
  }
}

TEST(ExtraKeys, StandInAFixedOrder) {
  SPEC("adapter, then images, then salt, each with its whole name", kKeys, "in this order",
       "in the order of the features");
  Request request = request_of(Tokens(4, 9), 4);
  request.lora_name = "poet";
  request.cache_salt = "tenant";
  request.mm_features = {{.identifier = "cat", .offset = 0, .num_tokens = 1},
                         {.identifier = "dog", .offset = 3, .num_tokens = 1}};
  expect_keys(request, 0, 4, {"lora=poet", "image=cat@0", "image=dog@3", "salt=tenant"});
  expect_whole_names();
}

// The keys of two blocks of a request for an adapter, which have nothing else.
void expect_adapter_keys(const std::string& name, const std::string& path, const ExtraKeys& keys) {
  Request request = request_of({1, 2, 3, 4}, 2);
  request.lora_name = name;
  request.lora_path = path;
  expect_keys(request, 0, 2, keys);
  expect_keys(request, 2, 4, keys);
}

TEST(ExtraKeys, ThePathOfAnAdapterShapesEveryBlock) {
  SPEC("the adapter's path, if it has one, is a key of its own after the name, in every block",
       kKeys, "if there is a lora_path", "in this order");
  expect_adapter_keys("poet", "/2025", {"lora=poet", "path=/2025"});
  expect_adapter_keys("poet", "/2026", {"lora=poet", "path=/2026"});
  expect_adapter_keys("poet", "", {"lora=poet"});
  expect_adapter_keys("a", "b", {"lora=a", "path=b"});
  expect_adapter_keys("apath=b", "", {"lora=apath=b"});
  expect_adapter_keys("", "/2025", {"path=/2025"});
  Request request = request_of(Tokens(4, 9), 4);
  request.lora_name = "poet";
  request.lora_path = "/2026";
  request.cache_salt = "tenant";
  request.mm_features = {{.identifier = "cat", .offset = 0, .num_tokens = 1}};
  expect_keys(request, 0, 4, {"lora=poet", "path=/2026", "image=cat@0", "salt=tenant"});
}

// The same hashes as an independent implementation computes, byte for byte.
TEST(GoldenHashes, EqualAnIndependentImplementation) {
  SPEC("the hash is XXH64 over exactly the bytes that the contract lists", "3.1 hash_block_tokens",
       "XXH64 with seed 0 over", "widened to int64");
  for (const golden::Block& block : golden::blocks()) {
    const BlockHash hash = hash_block_tokens(block.parent, block.token_ids, block.extra_keys);
    if (hash == block.hash) continue;
    ADD_FAILURE() << "a block of " << block.token_ids.size() << " tokens, "
                  << (block.parent ? "with a parent" : "without a parent") << ", with "
                  << block.extra_keys.size() << " extra keys, has hash " << std::hex << block.hash
                  << ", yours is " << hash;
    return;
  }
}

TEST(GoldenHashes, EqualAnIndependentChain) {
  SPEC("a request's hashes are those of nano-vLLM, block after block", "3.3 update_block_hashes");
  for (const golden::Chain& chain : golden::chains()) {
    Request request{
        .request_id = "r", .block_size = chain.block_size, .token_ids = chain.token_ids};
    update_block_hashes(request);
    const auto [yours, golden] = std::ranges::mismatch(request.block_hashes, chain.hashes);
    if (yours == request.block_hashes.end() && golden == chain.hashes.end()) continue;
    const auto drawn = [](auto place, auto end) { return place == end ? "none" : draw(*place); };
    ADD_FAILURE() << "block " << golden - chain.hashes.begin() << " of a request in blocks of "
                  << chain.block_size << ": expected hash " << drawn(golden, chain.hashes.end())
                  << ", yours is " << drawn(yours, request.block_hashes.end());
    return;
  }
}

}  // namespace

}  // namespace kv::grader

// The same hashes as an independent implementation computes, byte for byte.

#include <gtest/gtest.h>

#include <algorithm>

#include "03-block-hashing/request.h"
#include "grader/harness/expectations.h"
#include "reference/golden/block_hashes.h"

namespace kv::grader {
namespace {

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

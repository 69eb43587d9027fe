#pragma once
// What the KV cache needs of a request: its tokens, what else shapes its keys and values,
// and the hash of each of its full blocks.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "03-block-hashing/block_hash.h"
#include "kv/types.h"

namespace kv {

// An image (or sound) whose placeholder tokens are in the prompt.
//
// vLLM: MultiModalFeatureSpec
struct MultiModalFeature {
  std::string identifier;  // digest of its content
  std::size_t offset;      // index of its first placeholder token
  std::size_t num_tokens;  // how many placeholder tokens it has
};

// vLLM: Request in vllm/v1/request.py
struct Request {
  std::string request_id;
  std::size_t block_size;          // tokens in a block
  std::vector<TokenId> token_ids;  // prompt, then output

  std::string lora_name = {};                       // adapter; empty: none
  std::string cache_salt = {};                      // keeps tenants apart; empty: none
  std::vector<MultiModalFeature> mm_features = {};  // in the order of their offsets
  std::string lora_path = {};                       // where the adapter is; empty: the name says it

  std::size_t num_computed_tokens = 0;     // its first tokens, whose keys and values are in blocks;
                                           // lowered by the drafts that are rejected
  bool skip_reading_prefix_cache = false;  // computes all its tokens, and caches them (lab 04)

  // One entry for each full block, written by update_block_hashes only.
  std::vector<BlockHash> block_hashes = {};
  std::vector<ExtraKeys> block_extra_keys = {};

  std::size_t num_full_blocks() const { return token_ids.size() / block_size; }

  // [block_size] tokens of a full block.
  std::span<const TokenId> block_token_ids(std::size_t logical_block) const {
    return std::span(token_ids).subspan(logical_block * block_size, block_size);
  }
};

// 3.2  What shapes the block of tokens [start_token, end_token) besides its tokens, in this order:
//   "lora=NAME"        for every block of a request with an adapter
//   "path=PATH"        for every block, if there is a lora_path: a name may come to mean another
//                      adapter (vLLM: by 0.33; before, the name alone)
//   "image=ID@OFFSET"  for each feature with a placeholder in the block, in the order of the
//                      features; OFFSET is its offset minus start_token, negative if it began
//                      before
//   "salt=SALT"        for the first block only: later ones have it as an ancestor
// O(features).                                  vLLM: generate_block_hash_extra_keys
ExtraKeys generate_block_hash_extra_keys(const Request& request,
                                         std::size_t start_token,
                                         std::size_t end_token);

// 3.3  Hashes the blocks that have become full since the last call, and no other: each block is
// hashed once (I3), and keeps its hash if one of its tokens is replaced. A caller that replaces one
// frees the blocks of the request and clears both lists first.
// O(new full blocks).                           vLLM: the block hasher of a Request
void update_block_hashes(Request& request);

// What decides whether two blocks end the same prefix: what a block adds, and the prefix before it.
struct BlockContent {
  std::optional<PrefixId> parent;      // the prefix before the block; none before the first one
  std::span<const TokenId> token_ids;  // [block_size]
  const ExtraKeys& extra_keys;
};

// The content of a full block of a request, after the prefix `parent`. Given.
inline BlockContent content_of(const Request& request,
                               std::size_t logical_block,
                               std::optional<PrefixId> parent) {
  return {parent, request.block_token_ids(logical_block), request.block_extra_keys[logical_block]};
}

// Adds tokens to the request and hashes what became full. Given.
inline void append_output_token_ids(Request& request, std::span<const TokenId> token_ids) {
  request.token_ids.insert(request.token_ids.end(), token_ids.begin(), token_ids.end());
  update_block_hashes(request);
}

}  // namespace kv
